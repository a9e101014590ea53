import { randomUUID } from 'node:crypto';
import { type LeadValues, postLead } from './post-lead.ts';

/** Programs that send leads over HTTP at once: each has a message of its own and a key, and is sent until it is answered 200. */
export class LeadSenders {
	readonly sent = new Set<string>();
	readonly accepted = new Set<string>();
	/** The number of answers with each status; 0 is no answer. */
	readonly statuses = new Map<number, number>();
	/** Called at each request and each answer. */
	onEvent: (event: 'sent' | 'answered') => void = () => {};
	readonly #address: () => Promise<string>;
	readonly #fieldsOf: (lead: string) => LeadValues;

	/** @param address returns where to send the next lead, once there is a server @param fieldsOf returns the other fields of a lead */
	constructor(address: () => Promise<string>, fieldsOf: (lead: string) => LeadValues = () => ({})) {
		this.#address = address;
		this.#fieldsOf = fieldsOf;
	}

	/** Sends `leads` leads from `senders` senders. Resolves when each has its 200, or when `wanted` returns false. */
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
			const status = await post(url, lead, this.#fieldsOf(lead));
			this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
			if (status === 200) this.accepted.add(lead);
			this.onEvent('answered');
		} while (!this.accepted.has(lead) && wanted());
	}
}

/** Returns the status, or 0 without an answer. */
const post = (url: string, message: string, fields: LeadValues) =>
	postLead(url, { message, ...fields }, { 'idempotency-key': message.replace(' ', '-') }).then(
		async (response) => (await response.bytes(), response.status),
		() => 0,
	);
