import type { Message } from '../message/message.ts';
import type { SendResult } from './channel.ts';
import type { FullText } from './chat-message.ts';
import * as z from 'zod';

/** How one service takes a lead by HTTP, and how it answers. */
export interface WebhookFormat {
	/** The name for `LEAD_WEBHOOK_FORMAT` and for logs. */
	name: string;
	/** Whether a URL is surely the service's own, by its host, its path or both. A format without this is chosen by name only. */
	recognises?(url: URL): boolean;
	/** Read by programs, not by people: gets the visitor's free text even if chat does not. */
	forPrograms?: boolean;
	/** A CRM, which makes a contact of all that it gets: it gets leads, and nothing else. */
	leadsOnly?: boolean;
	/** Returns the fault of a URL of this service, and the remedy, as a sentence without its subject, the variable's name. */
	faultOf?(url: URL): string | undefined;
	/** Returns the request to send, in any media type. */
	request(message: Message, target: WebhookTarget): WebhookRequest;
	/** Judges the answer. The body may say more than the status. */
	judge(answer: WebhookAnswer): SendResult;
}

export interface WebhookTarget {
	/** As configured. */
	url: URL;
	/** Signing secrets: `whsec_` and base64. Each of them signs. */
	secrets: string[];
	/** Where people find text that chat does not show. */
	fullText: FullText;
	/** Whether chat shows the visitor's free text. */
	freeText: boolean;
}

/** A POST. */
export interface WebhookRequest {
	url: URL;
	/** With the media type of the body. */
	headers: Record<string, string>;
	body: string;
}

/** The answer to a {@link WebhookRequest}. */
export interface WebhookAnswer {
	status: number;
	/** The beginning of the body, of any media type. */
	body: string;
	/** In seconds, from `Retry-After`. */
	retryAfter: number | undefined;
}

/** Returns a POST of a value as JSON. */
export const jsonPost = (url: URL, value: unknown): WebhookRequest => ({
	url,
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify(value),
});

/** Statuses below 500 that may pass: timeout, too early, too many (RFC 9110, 8470, 6585). */
const passing = new Set([408, 425, 429]);

/** Judges by status: 2xx is success; 1xx, 5xx and a few others may pass; the rest is final. Redirects are not followed. */
export function judgeStatus({ status, retryAfter }: WebhookAnswer): SendResult {
	if (status >= 200 && status < 300) return { ok: true };
	return { ok: false, permanent: status >= 300 && status < 500 && !passing.has(status), reason: `HTTP ${status}`, retryAfter };
}

/** Judges by status, and adds the service's own word to a failure. Reasons are logged, so the word must come from a fixed set. */
export function judgeWith(word: string | number | undefined, answer: WebhookAnswer): SendResult {
	const result = judgeStatus(answer);
	return result.ok || word === undefined ? result : { ...result, reason: `${result.reason} ${word}` };
}

/** Fails a success status without the service's own proof: something else answered, such as a proxy, and that may pass. */
export const unproven = (status: number, proof: string): SendResult => ({
	ok: false,
	permanent: false,
	reason: `HTTP ${status} without ${proof}`,
});

/** Returns the body of an answer, if it is JSON of that shape. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> | undefined {
	try {
		return schema.safeParse(JSON.parse(body)).data;
	} catch {
		return undefined;
	}
}
