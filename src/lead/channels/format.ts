import type * as z from 'zod';
import type { Message } from '../delivery/message.ts';
import type { Delivery } from './channel.ts';
import type { FullText } from './chat-message.ts';

/** How one service wants to be told of a lead by HTTP, and how it answers. */
export interface Format {
	/** The name for `LEAD_WEBHOOK_FORMAT` and for logs. */
	name: string;
	/** The hosts that are the service's own: `hooks.example.com` is that host, `.example.com` every host below. */
	hosts: readonly string[];
	/** Read by programs, not by people: gets the visitor's free text even where chat does not. */
	forPrograms?: boolean;
	/** What is wrong with a URL of this service, and what to do, as the rest of a sentence that begins with the variable's name. */
	faultOf?(url: URL): string | undefined;
	/** What to send, and where to. */
	request(message: Message, target: Target): WebhookRequest;
	/** Whether the service took it. A status alone may say less than the body. */
	judge(answer: WebhookAnswer): Delivery;
}

export interface Target {
	/** As configured. */
	url: URL;
	/** `whsec_` and base64: what to sign with, each of them. */
	secrets: string[];
	/** Where people find what chat does not show. */
	fullText: FullText;
	/** Whether chat shows the visitor's free text. */
	freeText: boolean;
}

/** A POST. */
export interface WebhookRequest {
	url: URL;
	headers: Record<string, string>;
	body: string;
}

/** What came back. */
export interface WebhookAnswer {
	status: number;
	/** Its beginning, of any type. */
	body: string;
	/** In seconds, from `Retry-After`. */
	retryAfter: number | undefined;
}

/** A POST of JSON. */
export const postJson = (url: URL, body: string, headers: Record<string, string> = {}): WebhookRequest => ({
	url,
	headers: { 'content-type': 'application/json', ...headers },
	body,
});

/** Statuses below 500 that tell of a moment, not of the request: timeout, too early, too many (RFC 9110, 8470, 6585). */
const passing = new Set([408, 425, 429]);

/** In seconds. Who asks for more is asked again all the same. */
const LONGEST_WAIT = 86_400;

/** The general verdict: 2xx is success, 5xx and a few others pass, the rest (redirects too, which nobody follows) is final. */
export function judgeStatus({ status, retryAfter }: WebhookAnswer): Delivery {
	if (status >= 200 && status < 300) return { ok: true };
	return {
		ok: false,
		permanent: status < 500 && !passing.has(status),
		reason: `HTTP ${status}`,
		retryAfter: retryAfter && Math.min(retryAfter, LONGEST_WAIT),
	};
}

/** That verdict, with a word of the service's own about a failure. It must come from a fixed vocabulary: reasons are logged. */
export function judgeWith(word: string | number | undefined, answer: WebhookAnswer): Delivery {
	const delivery = judgeStatus(answer);
	return delivery.ok || word === undefined ? delivery : { ...delivery, reason: `${delivery.reason} ${word}` };
}

/** A success by status whose body is not what the service answers: a proxy's page, for instance. It may pass. */
export const unlike = (status: number, expected: string): Delivery => ({
	ok: false,
	permanent: false,
	reason: `HTTP ${status} without ${expected}`,
});

/** What an answer says, if it is JSON of that shape. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> | undefined {
	try {
		return schema.safeParse(JSON.parse(body)).data;
	} catch {
		return undefined;
	}
}
