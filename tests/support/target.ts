import type { Target } from '../../src/lead/channels/format.ts';

/** A webhook at this URL; `options` replace what is usual. */
export const targetAt = (url: string, options: Partial<Target> = {}): Target => ({
	url: new URL(url),
	secrets: [],
	fullText: 'mail',
	freeText: true,
	...options,
});
