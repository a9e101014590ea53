import type { WebhookTarget } from '../../src/channels/webhook-format.ts';

/** Returns a webhook at this URL. `options` replace the defaults. */
export const targetAt = (url: string, options: Partial<WebhookTarget> = {}): WebhookTarget => ({
	url: new URL(url),
	secrets: [],
	inMail: true,
	freeText: true,
	...options,
});
