import type { Message } from '../delivery/message.ts';
import type { Delivery } from './channel.ts';
import type { FullText } from './chat-message.ts';

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
