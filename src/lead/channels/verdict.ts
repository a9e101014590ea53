import type * as z from 'zod';
import type { Delivery } from './channel.ts';
import type { WebhookAnswer } from './webhook-format.ts';

/** Statuses below 500 after which the same request may yet be taken: timeout, too early, too many (RFC 9110, 8470, 6585). */
const passing = new Set([408, 425, 429]);

/** The general verdict: 2xx is success, 5xx and a few others may pass, the rest is final: redirects too, which are not followed. */
export function judgeStatus({ status, retryAfter }: WebhookAnswer): Delivery {
	if (status >= 200 && status < 300) return { ok: true };
	return { ok: false, permanent: status < 500 && !passing.has(status), reason: `HTTP ${status}`, retryAfter };
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
