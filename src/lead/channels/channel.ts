import type { Message } from '../message.ts';

/** One way to reach the sales team. */
export interface Channel {
	/** Stable name for logs and operators, e.g. `email` or `slack:hooks.slack.com`. Never an address, a path or a secret. */
	name: string;
	/**
	 * Hands the message over. Never throws: a channel that is down is news, not a crash.
	 * The same message may come again: it carries the same id each time, so that receivers can tell.
	 *
	 * @param signal ends the try; the delivery then counts as a failure that may pass
	 */
	send(message: Message, signal: AbortSignal): Promise<Delivery>;
}

export type Delivery = { ok: true } | Failure;

export interface Failure {
	ok: false;
	/** Whether the receiver said that another try is pointless. */
	permanent: boolean;
	/** Why, for the operator's log: a code or a status, and never a word of the lead, an address or a URL. */
	reason: string;
	/** How long the receiver asked us to wait, in seconds (RFC 9110 section 10.2.3). */
	retryAfter?: number;
}
