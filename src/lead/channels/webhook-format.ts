import type { Message } from '../message/message.ts';
import type { Delivery } from './channel.ts';
import type { FullText } from './chat-message.ts';
import * as z from 'zod';

/** How one service wants to be told of a lead by HTTP, and how it answers. */
export interface WebhookFormat {
	/** The name for `LEAD_WEBHOOK_FORMAT` and for logs. */
	name: string;
	/** Whether a URL is surely the service's own, by its host, its path or both. Without this it is known by name only. */
	recognises?(url: URL): boolean;
	/** Read by programs, not by people: gets the visitor's free text even where chat does not. */
	forPrograms?: boolean;
	/** What is wrong with a URL of this service, and what to do, as the rest of a sentence that begins with the variable's name. */
	faultOf?(url: URL): string | undefined;
	/** What to send, in whatever media type, and where to. */
	request(message: Message, target: WebhookTarget): WebhookRequest;
	/** Whether the service took it. A status alone may say less than the body. */
	judge(answer: WebhookAnswer): Delivery;
}

export interface WebhookTarget {
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
	/** The media type of the body among them. */
	headers: Record<string, string>;
	body: string;
}

/** What came back of a {@link WebhookRequest}. */
export interface WebhookAnswer {
	status: number;
	/** The beginning of it, of any media type. */
	body: string;
	/** In seconds, from `Retry-After`. */
	retryAfter: number | undefined;
}

/** A POST of a value as JSON. */
export const jsonPost = (url: URL, value: unknown): WebhookRequest => ({
	url,
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify(value),
});

/** Statuses below 500 after which the same request may yet be taken: timeout, too early, too many (RFC 9110, 8470, 6585). */
const passing = new Set([408, 425, 429]);

/** The general verdict: 2xx is success; 1xx, 5xx and a few others may pass; the rest is final, also redirects, which are not followed. */
export function judgeStatus({ status, retryAfter }: WebhookAnswer): Delivery {
	if (status >= 200 && status < 300) return { ok: true };
	return { ok: false, permanent: status >= 300 && status < 500 && !passing.has(status), reason: `HTTP ${status}`, retryAfter };
}

/** That verdict; a failure with the service's own word for it, which must come from a fixed vocabulary, since reasons are logged. */
export function judgeWith(word: string | number | undefined, answer: WebhookAnswer): Delivery {
	const delivery = judgeStatus(answer);
	return delivery.ok || word === undefined ? delivery : { ...delivery, reason: `${delivery.reason} ${word}` };
}

/** The verdict on a success by status without what the service says of one: it comes from something else, such as a proxy, and may pass. */
export const unproven = (status: number, proof: string): Delivery => ({
	ok: false,
	permanent: false,
	reason: `HTTP ${status} without ${proof}`,
});

/** The body of an answer, if it is JSON of that shape. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> | undefined {
	try {
		return schema.safeParse(JSON.parse(body)).data;
	} catch {
		return undefined;
	}
}
