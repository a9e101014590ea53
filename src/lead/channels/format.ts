import type { Message } from '../message.ts';
import type { Delivery } from './channel.ts';

/** How one service wants to be told of a lead by HTTP, and how it answers. */
export interface Format {
	/** The name for `LEAD_WEBHOOK_FORMAT` and for logs. */
	name: string;
	/** The hosts that are the service's own: `hooks.example.com` is that host, `.example.com` every host below. */
	hosts: readonly string[];
	/** What to send. */
	request(message: Message, target: Target): Request;
	/** Whether the service took it. A status alone may say less than the body. */
	judge(answer: WebhookAnswer): Delivery;
}

export interface Target {
	/** As configured. */
	url: URL;
	/** `whsec_` and base64: what to sign with, each of them. */
	secrets: string[];
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
export const postJson = (url: URL, body: string, headers: Record<string, string> = {}) =>
	new Request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

/** Statuses below 500 that tell of a moment, not of the request: timeout, too early, too many (RFC 9110, 8470, 6585). */
const passing = new Set([408, 425, 429]);

/** The general verdict: 2xx is success, 5xx and a few others pass, the rest (redirects too, which nobody follows) is final. */
export function judgeStatus({ status, retryAfter }: WebhookAnswer): Delivery {
	if (status >= 200 && status < 300) return { ok: true };
	return { ok: false, permanent: status < 500 && !passing.has(status), reason: `HTTP ${status}`, retryAfter };
}
