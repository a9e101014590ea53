import * as chat from './chat/index.ts';
import { json } from './json.ts';
import type { WebhookFormat } from './webhook-format.ts';

const formats = [...Object.values(chat), json];

export type FormatName = (typeof formats)[number]['name'];

/** The names that `LEAD_WEBHOOK_FORMAT` may have, beside `auto`. */
export const formatNames: FormatName[] = formats.map(({ name }) => name);

/** The format of that name; for `auto`, that of the service whose URL it is, or else JSON. */
export function formatFor(url: URL, name: FormatName | 'auto'): WebhookFormat {
	const known: WebhookFormat[] = formats;
	return known.find((format) => (name === 'auto' ? format.recognises?.(url) : format.name === name)) ?? json;
}

/**
 * What is wrong with a webhook's URL, and what to do; undefined: nothing that can be seen from here.
 * A service is asked about its own URLs whatever format is set for them, since no format makes a wrong one right.
 */
export function urlFault(url: URL, name: FormatName | 'auto'): string | undefined {
	return formatFor(url, 'auto').faultOf?.(url) ?? formatFor(url, name).faultOf?.(url);
}
