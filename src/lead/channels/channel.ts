import type { Message } from '../delivery/message.ts';

/** One way to reach people: the sales team or, with a confirmation, a visitor. */
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

/** In milliseconds: how long a try may take that no visitor waits for. A channel that needs longer counts as down. */
export const TRY_TIMEOUT = 30_000;

export type Delivery = Success | Failure;

interface Success {
	ok: true;
	/** What the operator should know all the same, e.g. that some recipients were refused. Of no lead, like {@link Failure.reason}. */
	note?: string;
}

export interface Failure {
	ok: false;
	/** Whether the receiver said that another try is pointless. */
	permanent: boolean;
	/** Why, for the operator's log: a code or a status, and never a word of the lead, an address or a URL. */
	reason: string;
	/** How long the receiver asked us to wait, in seconds (RFC 9110 section 10.2.3). */
	retryAfter?: number;
}

/** An exception of Node.js as a failure that may pass. Messages are left out: they name hosts, paths and addresses. */
export function failureOf(error: unknown, signal: AbortSignal): Failure {
	const cause: unknown = signal.aborted ? signal.reason : error;
	return { ok: false, permanent: false, reason: codeOf(cause) };
}

/** The code of a system error, which `fetch` has as its cause and nodemailer keeps beside its own; without one, the error's name. */
function codeOf(error: unknown): string {
	if (!(error instanceof Error)) return 'UnknownError';
	const cause: unknown = error.cause;
	const codes = [member(error, 'originalCode'), member(cause, 'code'), member(error, 'code')];
	return codes.find((code) => typeof code === 'string') ?? error.name;
}

const member = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
