import * as chat from './chat/index.ts';
import { hubspot } from './hubspot.ts';
import { json } from './json.ts';
import type { WebhookFormat } from './webhook-format.ts';

const formats = [...Object.values(chat), hubspot, json];

export type FormatName = (typeof formats)[number]['name'];

/** The allowed values of `LEAD_WEBHOOK_FORMAT`, beside `auto`. */
export const formatNames: FormatName[] = formats.map(({ name }) => name);

/** Returns the format of that name. For `auto`, returns that of the service whose URL it is, or else JSON. */
export function formatFor(url: URL, name: FormatName | 'auto'): WebhookFormat {
	const known: WebhookFormat[] = formats;
	return known.find((format) => (name === 'auto' ? format.recognises?.(url) : format.name === name)) ?? json;
}

/**
 * Returns the fault of a webhook's URL, and the remedy, or undefined if none is visible from here.
 * Checks a service's own URL even if another format is set, because no format corrects a wrong URL.
 */
export function urlFault(url: URL, name: FormatName | 'auto'): string | undefined {
	const format = formatFor(url, name);
	if (format !== json && (url.username || url.password))
		return `must have no user name and password for ${format.name}: only json webhooks send them. Leave them out, or set LEAD_WEBHOOK_FORMAT=json`;
	return formatFor(url, 'auto').faultOf?.(url) ?? format.faultOf?.(url);
}

/** Returns a webhook's URL without user name and password, which give it no name: a short hash of it would show if a guess is right. */
export const withoutCredentials = (url: URL): string => Object.assign(new URL(url), { username: '', password: '' }).href;
