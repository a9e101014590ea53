import * as z from 'zod';
import { formatFor, type FormatName, formatNames, urlFault } from '../lead/channels/formats.ts';
import { must } from './setting-values.ts';

export const webhookFormat = z.enum(['auto', ...formatNames], must(['auto', ...formatNames].join(' or '), 'auto'));

interface Variables {
	LEAD_WEBHOOK_URL?: URL[] | undefined;
	/** One for all URLs, or one for each. */
	LEAD_WEBHOOK_FORMAT: (FormatName | 'auto')[];
	LEAD_WEBHOOK_SECRET?: string[] | undefined;
	LEAD_CHAT_MESSAGE: 'on' | 'off';
	LEAD_MAILBOX?: string | undefined;
	LEAD_STORE: string;
	SMTP_URL?: string | undefined;
}

/** Each webhook with its format. */
export const webhooksOf = ({ LEAD_WEBHOOK_URL: urls = [], LEAD_WEBHOOK_FORMAT: formats }: Variables) =>
	urls.map((url, index) => ({ url, format: formats[formats.length === 1 ? 0 : index] ?? 'auto' }));

/** What is wrong with the webhooks as a whole: the variable at fault, and the rest of the sentence. */
export function webhookFaults(variables: Variables): [variable: string, fault: string][] {
	// What is no URL has been named already, and is still a string.
	const webhooks = webhooksOf(variables).filter(({ url }) => url instanceof URL);
	const { LEAD_WEBHOOK_URL: urls, LEAD_WEBHOOK_FORMAT: formats } = variables;
	const checks: [variable: string, fault: string | false | undefined][] = [
		...webhooks.map(({ url, format }): [string, string | undefined] => ['LEAD_WEBHOOK_URL', urlFault(url, format)]),
		[
			'LEAD_WEBHOOK_FORMAT',
			formats.length > 1 &&
				formats.length !== urls?.length &&
				'must be one format for all of LEAD_WEBHOOK_URL or one for each, for example auto mattermost for two URLs',
		],
		[
			'LEAD_CHAT_MESSAGE',
			variables.LEAD_CHAT_MESSAGE === 'off' &&
				onlyInChat(variables, webhooks) &&
				'must be on where a lead goes to chat alone: with off, what a visitor wrote would be nowhere. Set LEAD_STORE, ' +
					'for example LEAD_STORE=sqlite:var/leads.db',
		],
		[
			'LEAD_WEBHOOK_URL',
			variables.LEAD_WEBHOOK_SECRET &&
				!urls &&
				'is missing: LEAD_WEBHOOK_SECRET has nothing to sign, for example LEAD_WEBHOOK_URL=https://crm.example.com/leads',
		],
		[
			'LEAD_WEBHOOK_SECRET',
			variables.LEAD_WEBHOOK_SECRET &&
				webhooks.length > 0 &&
				onlyChat(webhooks) &&
				'signs json webhooks, and LEAD_WEBHOOK_URL names none: leave it out, or set the format, for example LEAD_WEBHOOK_FORMAT=json',
		],
		[
			'LEAD_WEBHOOK_URL',
			formats.some((format) => format !== 'auto') &&
				!urls &&
				'is missing: LEAD_WEBHOOK_FORMAT has nothing to write to, for example LEAD_WEBHOOK_URL=https://crm.example.com/leads',
		],
	];
	return checks.filter((check): check is [string, string] => Boolean(check[1]));
}

const onlyInChat = ({ SMTP_URL, LEAD_MAILBOX, LEAD_STORE }: Variables, webhooks: ReturnType<typeof webhooksOf>) =>
	LEAD_STORE === 'none' && !SMTP_URL && !LEAD_MAILBOX && webhooks.length > 0 && onlyChat(webhooks);

const onlyChat = (webhooks: ReturnType<typeof webhooksOf>) =>
	webhooks.every(({ url, format }) => !formatFor(url, format).forPrograms);
