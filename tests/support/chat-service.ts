import type { WebhookFormat, WebhookTarget } from '../../src/lead/channels/webhook-format.ts';
import type { Message } from '../../src/lead/message/message.ts';
import { targetAt } from './target.ts';
import type { WebhookReply } from './webhook-receiver.ts';

/** What a chat service is known for, written down apart from the code that speaks to it. */
export interface ChatService {
	format: WebhookFormat;
	/** A host that its URLs may have. */
	host: string;
	/** What stands behind the host. */
	path: string;
	/** Of the bodies it is sent; `application/json` unless said otherwise. */
	mediaType?: string;
	/** Reads a body into keys and values, by default as JSON. They are of the same shape whatever a visitor writes. */
	structure?(body: string): unknown;
	/** How it answers a message that it took. */
	success: WebhookReply;
	/** How it refuses one, and what that means, by the reason that we make of it. */
	refusals: Record<string, WebhookReply & { permanent: boolean; retryAfter?: number }>;
	/** What people see of a body: its syntax undone. */
	visible(body: string): string;
	/** What in a body does more than be read (mentions, links, markup), but for what we put there ourselves: there is to be nothing. */
	active(body: string): string[];
	/** What the service limits: how much of it a body has, and how much it may have. */
	sizes(body: string): [name: string, actual: number, limit: number][];
}

/** The body that a service is sent, by its own format. */
export function bodyFor({ format, host, path }: ChatService, message: Message, options?: Partial<WebhookTarget>): string {
	return format.request(message, targetAt(`https://${host}${path}`, options)).body;
}

/** Every text in a value of JSON. */
export function strings(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}
