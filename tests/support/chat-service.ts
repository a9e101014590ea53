import type { WebhookFormat, WebhookTarget } from '../../src/lead/channels/webhook-format.ts';
import type { Message } from '../../src/lead/message/message.ts';
import { targetAt } from './target.ts';
import type { WebhookReply } from './webhook-receiver.ts';

/** The facts about a chat service, apart from the code that uses it. */
export interface ChatService {
	format: WebhookFormat;
	/** A host that its URLs may have. */
	host: string;
	/** The part of the URL after the host. */
	path: string;
	/** The media type of the bodies it receives, by default `application/json`. */
	mediaType?: string;
	/** Reads a body into keys and values, by default as JSON. Their shape is the same for every text of a visitor. */
	structure?(body: string): unknown;
	/** Its answer to a message that it took. */
	success: WebhookReply;
	/** Its refusals, with their meaning, by the reason that we log. */
	refusals: Record<string, WebhookReply & { permanent: boolean; retryAfter?: number }>;
	/** Returns the text of a body as people see it, without syntax. */
	visible(body: string): string;
	/** Returns the active parts of a body (mentions, links, markup) except our own. The test expects none. */
	active(body: string): string[];
	/** Returns the sizes that the service limits: the body's, and the limit. */
	sizes(body: string): [name: string, actual: number, limit: number][];
}

/** Returns the body that a service receives, in its own format. */
export function bodyFor({ format, host, path }: ChatService, message: Message, options?: Partial<WebhookTarget>): string {
	return format.request(message, targetAt(`https://${host}${path}`, options)).body;
}

/** Returns every text in a JSON value. */
export function strings(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}
