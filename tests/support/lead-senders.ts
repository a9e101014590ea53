import { randomUUID } from 'node:crypto';
import { type LeadValues, postLead } from './post-lead.ts';

export type LeadSenders = ReturnType<typeof leadSenders>;

/**
 * Programs that send leads over HTTP at once: each has a message of its own and a key, and is sent until it is answered 200.
 * @param address returns where to send the next lead, once there is a server @param fieldsOf returns the other fields of a lead
 */
export function leadSenders(address: () => Promise<string>, fieldsOf: (lead: string) => LeadValues = () => ({})) {
	const [sent, accepted] = [new Set<string>(), new Set<string>()];
	/** The number of answers with each status; 0 is no answer. */
	const statuses = new Map<number, number>();
	const insist = async (lead: string, wanted: () => boolean) => {
		do {
			const url = await address();
			sent.add(lead);
			all.onEvent();
			const status = await post(url, lead, fieldsOf(lead));
			statuses.set(status, (statuses.get(status) ?? 0) + 1);
			if (status === 200) accepted.add(lead);
			all.onEvent();
		} while (!accepted.has(lead) && wanted());
	};
	const all = {
		sent,
		accepted,
		statuses,
		onEvent: (): unknown => undefined,
		/** Sends `leads` leads from `senders` senders. Resolves when each has its 200, or when `wanted` returns false. */
		async send(leads: number, senders: number, wanted = () => true) {
			let left = leads;
			const sender = async () => {
				while (left-- > 0 && wanted()) await insist(`lead ${randomUUID()}`, wanted);
			};
			await Promise.all(Array.from({ length: senders }, sender));
		},
	};
	return all;
}

const post = (url: string, message: string, fields: LeadValues) =>
	postLead(url, { message, ...fields }, { 'idempotency-key': message.replace(' ', '-') }).then(
		async (response) => (await response.bytes(), response.status),
		() => 0,
	);
