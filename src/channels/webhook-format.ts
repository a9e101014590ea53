import type * as z from 'zod';
import type { Message } from './message.ts';
import type { SendResult } from './channel.ts';
import { escaped, fitted, type FullText, shownInChat, withoutFreeText } from './chat-message.ts';

/** How one service takes a message by HTTP, and how it answers: a row of the table of formats. */
export interface WebhookFormat<Name extends string = string, Body extends object = object> {
	/** The name for `LEAD_WEBHOOK_FORMAT` and for logs. */
	name: Name;
	/** Whether a URL is surely the service's own, by its host, its path or both. A format without this is chosen by name only. */
	recognises?(url: URL): boolean;
	/** Returns the fault of a URL of this service, and the remedy, as a sentence without its subject, the variable's name. */
	faultOf?(url: URL): string | undefined;
	/** Returns where to post to, by default the URL of the settings. */
	addressOf?(url: URL): URL;
	/** Returns a text so that the service takes nothing in it for markup. The subject and all values come to `bodyOf` like this. */
	escape?(text: string): string;
	/**
	 * Returns the body to post. `URLSearchParams` are sent as `application/x-www-form-urlencoded`, any other object as
	 * `application/json`.
	 *
	 * @param url of the settings: services that want a key or a chat in the body have it in their URL
	 */
	bodyOf(message: Message, url: URL): Body;
	/** Returns each size that the service limits, and its limit. `sent` is the body in text. The longest value is cut until all fit. */
	sizes?(body: Body, sent: string): [size: number, limit: number][];
	/** Returns further headers. */
	headersOf?(message: Message, sent: string, target: WebhookTarget): Record<string, string>;
	/** Reads the body of an answer. Without this, the status alone counts. */
	read?(body: string): Reading;
	/** What tells that the message was taken, for the log: `HTTP 200 without ok`. */
	proof?: string;
	/** Read by programs, not by people: gets the visitor's free text even if chat does not. */
	forPrograms?: boolean;
	/** A CRM, which makes a contact of all that it gets: it gets leads, and nothing else. */
	leadsOnly?: boolean;
}

/** What the body of an answer says. */
interface Reading {
	/** Whether the service has taken the message. Where it does not say so, something else answered, such as a proxy. */
	taken: boolean;
	/** The service's own word for a fault. It is logged, so it comes from a fixed set: the rest may quote a visitor. */
	fault?: string | number | undefined;
	/** The status of a failure that hides behind a success. */
	status?: number | undefined;
	/** In seconds: how long to wait, if the body says it. */
	retryAfter?: number | undefined;
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

/** A POST, with the media type of the body in its headers. */
export interface WebhookRequest {
	url: URL;
	headers: Record<string, string>;
	body: string;
}

/** The answer, with the beginning of its body, and `Retry-After` in seconds. */
export interface WebhookAnswer {
	status: number;
	body: string;
	retryAfter: number | undefined;
}

/** Returns a row of the table: it infers the body's type, so that `sizes` knows what `bodyOf` makes. */
export const format = <const Name extends string, Body extends object>(row: WebhookFormat<Name, Body>): WebhookFormat<Name> =>
	row;

/** Returns the request that takes a message to a webhook. */
export function requestOf(row: WebhookFormat, message: Message, target: WebhookTarget): WebhookRequest {
	const { url, fullText, freeText } = target;
	const inChat = shownInChat(message);
	const shown = row.forPrograms || freeText ? inChat : withoutFreeText(inChat, fullText);
	const { isForm, sent } = fitted(shown, fullText, (part) => {
		const body = row.bodyOf(row.escape ? escaped(part, row.escape) : part, url);
		const isForm = body instanceof URLSearchParams;
		const sent = isForm ? body.toString() : JSON.stringify(body);
		return { isForm, sent, fits: (row.sizes?.(body, sent) ?? []).every(([size, limit]) => size <= limit) };
	});
	const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
	return {
		url: row.addressOf?.(url) ?? url,
		headers: { 'content-type': type, ...row.headersOf?.(message, sent, target) },
		body: sent,
	};
}

/** Statuses below 500 that may pass: timeout, too early, too many (RFC 9110, 8470, 6585). */
const passing = new Set([408, 425, 429]);

const isSuccess = (status: number) => status >= 200 && status < 300;

/** Judges an answer: 2xx with its proof is success; 1xx, 5xx and a few others may pass; the rest is final. */
export function judge({ read, proof }: WebhookFormat, answer: WebhookAnswer): SendResult {
	const { taken, fault, ...said }: Reading = read?.(answer.body) ?? { taken: true };
	const status = (isSuccess(answer.status) && said.status) || answer.status;
	if (isSuccess(status)) return taken ? { ok: true } : { ok: false, permanent: false, reason: `HTTP ${status} without ${proof}` };
	const reason = fault === undefined ? `HTTP ${status}` : `HTTP ${status} ${fault}`;
	const permanent = status >= 200 && status < 500 && !passing.has(status);
	return { ok: false, permanent, reason, retryAfter: said.retryAfter ?? answer.retryAfter };
}

/** Returns the body of an answer, if it is JSON of that shape. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> | undefined {
	try {
		return schema.safeParse(JSON.parse(body)).data;
	} catch {
		return undefined;
	}
}
