import { randomUUID } from 'node:crypto';
import { leadOf } from './post-lead.ts';

/**
 * Programs that send leads over HTTP, all at once: each lead is another, carries a key, and is sent until it is answered 200.
 * A lead is known by its message.
 */
export class LeadSenders {
	/** Every lead that was ever on its way. */
	readonly sent = new Set<string>();
	/** Those that were answered 200. */
	readonly accepted = new Set<string>();
	/** How often each status was answered; 0 is no answer. */
	readonly statuses = new Map<number, number>();
	/** Called at each request and at each answer. */
	onEvent: (event: 'sent' | 'answered') => void = () => {};
	readonly #address: () => Promise<string>;

	/** @param address where to send the next one to: waits until there is a server */
	constructor(address: () => Promise<string>) {
		this.#address = address;
	}

	/** Sends so many leads, from so many senders. Resolves when each has its 200, or when nothing is `wanted` any more. */
	async send(leads: number, senders: number, wanted = () => true): Promise<void> {
		let left = leads;
		const sender = async () => {
			while (left-- > 0 && wanted()) await this.#insist(`lead ${randomUUID()}`, wanted);
		};
		await Promise.all(Array.from({ length: senders }, sender));
	}

	async #insist(lead: string, wanted: () => boolean): Promise<void> {
		do {
			const url = await this.#address();
			this.sent.add(lead);
			this.onEvent('sent');
			const status = await post(url, lead);
			this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
			if (status === 200) this.accepted.add(lead);
			this.onEvent('answered');
		} while (!this.accepted.has(lead) && wanted());
	}
}

/** The status; 0 where there was no answer. */
const post = (url: string, message: string) =>
	fetch(`${url}/api/contact`, {
		method: 'POST',
		body: JSON.stringify(leadOf({ message })),
		headers: { 'content-type': 'application/json', 'idempotency-key': message.replace(' ', '-') },
	}).then(
		async (response) => (await response.bytes(), response.status),
		() => 0,
	);
