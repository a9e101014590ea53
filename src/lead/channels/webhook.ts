import type { Message } from '../message/message.ts';
import { type Channel, failureOf, type SendResult } from './channel.ts';
import { chatServices } from './chat.ts';
import { post } from './post.ts';
import { hubspot, json } from './programs.ts';
import { judge, requestOf, type WebhookFormat, type WebhookTarget } from './webhook-format.ts';

const formats = [...chatServices, hubspot, json];

export type FormatName = (typeof formats)[number]['name'];

/** The allowed values of `LEAD_WEBHOOK_FORMAT`, beside `auto`. */
export const formatNames: FormatName[] = formats.map(({ name }) => name);

/** Returns the format of that name. For `auto`, returns that of the service whose URL it is, or else JSON. */
export const formatFor = (url: URL, name: FormatName | 'auto'): WebhookFormat<FormatName> =>
	formats.find((format) => (name === 'auto' ? format.recognises?.(url) : format.name === name)) ?? json;

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

/** Posts messages to a URL. The URL itself is the credential, so nothing names it. */
export function webhook(name: string, format: WebhookFormat, target: WebhookTarget): Channel {
	return { name, leadsOnly: format.leadsOnly, send };

	async function send(message: Message, signal: AbortSignal): Promise<SendResult> {
		try {
			return judge(format, await post(requestOf(format, message, target), signal));
		} catch (error) {
			return failureOf(error, signal);
		}
	}
}
