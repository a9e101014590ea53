import type { WebhookTarget } from '../../src/lead/channels/webhook-format.ts';

/** A webhook at this URL; `options` replace what is usual. */
export const targetAt = (url: string, options: Partial<WebhookTarget> = {}): WebhookTarget => ({
	url: new URL(url),
	secrets: [],
	fullText: 'mail',
	freeText: true,
	...options,
});
