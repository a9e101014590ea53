import { addAbortListener } from 'node:events';
import type { Lead } from '../lead/lead.ts';
import type { Message } from './message.ts';

/** One way to reach people: the sales team or, with a confirmation, a visitor. */
export interface Channel {
	/** Stable name for logs and operators, e.g. `email-2` or `slack:hooks.slack.com`. Never an address, a path or a secret. */
	name: string;
	/** Whether it has a recipient for this lead or, if there is no lead, for a notice. By default it has. */
	takes?(lead?: Partial<Lead>): boolean;
	/** Returns the addresses that get such a lead or, without one, a notice by mail. */
	recipients?(lead?: Partial<Lead>): string[];
	/** A CRM, which makes a contact of all that it gets: it gets no notices, and test leads only if the operator wants that. */
	leadsOnly?: boolean;
	/** People talk there: it gets remarks. */
	isChat?: boolean;
	/**
	 * Delivers the message. {@link sendWithin} calls it, and turns a rejection into a failure that may pass. Ends when `signal` aborts.
	 * A message may come twice. Receivers recognise it by its id.
	 */
	send(message: Message, signal: AbortSignal): Promise<SendResult>;
}

/** Returns those of the channels that get a lead or, without one, a notice to the sales team. */
export const channelsFor = (channels: Channel[], lead?: Partial<Lead>): Channel[] =>
	channels.filter(({ leadsOnly, takes }) => (lead !== undefined || !leadsOnly) && (takes?.(lead) ?? true));

export const namesOf = (channels: Channel[]): string[] => channels.map(({ name }) => name);

/** The limit of a try that no visitor waits for. A channel that needs longer counts as down, and may get the message again: some mail servers scan it for a minute. */
export const TRY_TIMEOUT_MS = 90_000;

/** `note` tells the operator more, e.g. why a confirmation was not sent. It holds nothing of a lead, like {@link Failure.reason}. */
export type SendResult = { ok: true; note?: string } | Failure;

export interface Failure {
	ok: false;
	/** `passing`: it may end by itself. `lasting`: the operator has to mend something, and is told at once. `final`: the receiver never takes this message. */
	outlook: 'passing' | 'lasting' | 'final';
	/** Why, for the operator's log: a code or a status, never a word of the lead, an address or a URL. */
	reason: string;
	/** How long the receiver asked us to wait, in seconds (RFC 9110 section 10.2.3). */
	retryAfter?: number;
}

/** Sends a message. Never rejects. Resolves when the time (in milliseconds) is over or `cutOff` aborts, even if the channel hangs. */
export async function sendWithin(
	time: number,
	channel: Channel,
	message: Message | Promise<Message>,
	cutOff?: AbortSignal,
): Promise<SendResult> {
	using budget = abortAfter(time, cutOff);
	const { signal } = budget;
	const aborted = new Promise<never>((_, reject) => addAbortListener(signal, () => reject(signal.reason as Error)));
	// Waits for the message in any case: a promise that rejects without a handler is logged as a fault of its own.
	const sending = async () => {
		const ready = await message;
		signal.throwIfAborted();
		return channel.send(ready, signal);
	};
	try {
		return await Promise.race([aborted, sending()]);
	} catch (error) {
		return failureOf(error, signal);
	}
}

/** Returns a signal that aborts when the time (in milliseconds) is over or `cutOff` aborts. Dispose of it when the work is done. */
export function abortAfter(time: number, cutOff?: AbortSignal) {
	// In Node.js 22.13 `AbortSignal.any()` of an `AbortSignal.timeout()` never aborts once garbage was collected.
	const controller = new AbortController();
	const timer = setTimeout(() => controller.abort(new DOMException('It took too long.', 'TimeoutError')), Math.max(time, 0));
	const listening = cutOff && addAbortListener(cutOff, () => controller.abort(cutOff.reason));
	const dispose = () => {
		clearTimeout(timer);
		listening?.[Symbol.dispose]();
	};
	return { signal: controller.signal, [Symbol.dispose]: dispose };
}

/**
 * Turns an exception of Node.js into a failure that may pass or, if it is a fault of TLS, that lasts. The reason is the code of a system
 * error, which nodemailer has beside its own, or the error's name. It is not the error's message, which names hosts, paths and addresses.
 */
export function failureOf(error: unknown, signal?: AbortSignal): Failure {
	const cause: unknown = signal?.aborted ? signal.reason : error;
	const { originalCode, code, name } = (cause instanceof Error ? cause : { name: 'UnknownError' }) as Record<string, unknown>;
	// The code of a `DOMException` is a number.
	const reason = [originalCode, code, name].find((each) => typeof each === 'string')!;
	const words = tlsFaults.find(([codes]) => codes.test(reason))?.[1];
	return { ok: false, ...(words ? { outlook: 'lasting', reason: `${reason}: ${words}` } : { outlook: 'passing', reason }) };
}

const tlsFaults: [codes: RegExp, words: string][] = [
	[
		/SELF_SIGNED|_ISSUER|_LEAF_/,
		'the certificate is signed by nobody whom this machine trusts; NODE_EXTRA_CA_CERTS can add a signer',
	],
	[/^CERT_HAS_EXPIRED$/, 'the certificate has ended; renew it'],
	[/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for another name; use a name that is in it'],
	[/^ERR_SSL_(WRONG|PACKET)_/, 'no TLS begins at this port; smtps:// is for port 465, imaps:// for 993, https:// for 443'],
];
