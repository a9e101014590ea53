import * as z from 'zod';
import { formatFor, type FormatName, formatNames, urlFault } from '../../lead/channels/known-formats.ts';
import { type Fault, missing, must } from './setting-values.ts';

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

interface Webhook {
	url: URL;
	format: FormatName | 'auto';
}

/** Each webhook with its format. */
export const webhooksOf = ({ LEAD_WEBHOOK_URL: urls = [], LEAD_WEBHOOK_FORMAT: formats }: Variables): Webhook[] =>
	urls.map((url, index) => ({ url, format: formats[formats.length === 1 ? 0 : index] ?? 'auto' }));

/** What is wrong with the webhooks as a whole. */
export function webhookFaults(variables: Variables): Fault[] {
	// What is no URL has been named already, and is still a string.
	const webhooks = webhooksOf(variables).filter(({ url }) => url instanceof URL);
	return [...urlFaults(webhooks), ...formatFaults(variables), ...chatFaults(variables, webhooks)];
}

const receiver = 'https://crm.example.com/leads';

function urlFaults(webhooks: Webhook[]): Fault[] {
	return webhooks.flatMap(({ url, format }): Fault[] => {
		const fault = urlFault(url, format);
		return fault === undefined ? [] : [['LEAD_WEBHOOK_URL', fault]];
	});
}

function formatFaults({ LEAD_WEBHOOK_URL: urls, LEAD_WEBHOOK_FORMAT: formats }: Variables): Fault[] {
	const faults: Fault[] = [];
	if (formats.length > 1 && formats.length !== urls?.length)
		faults.push([
			'LEAD_WEBHOOK_FORMAT',
			'must be one format for all of LEAD_WEBHOOK_URL or one for each, for example auto mattermost for two URLs',
		]);
	if (!urls && formats.some((format) => format !== 'auto'))
		faults.push(missing('LEAD_WEBHOOK_URL', 'LEAD_WEBHOOK_FORMAT has nothing to write to', receiver));
	return faults;
}

function chatFaults(variables: Variables, webhooks: Webhook[]): Fault[] {
	const { LEAD_WEBHOOK_URL: urls, LEAD_WEBHOOK_SECRET: secret, LEAD_CHAT_MESSAGE: chatMessage } = variables;
	const faults: Fault[] = [];
	if (chatMessage === 'off' && onlyInChat(variables, webhooks))
		faults.push([
			'LEAD_CHAT_MESSAGE',
			'must be on where a lead goes to chat alone: with off, what a visitor wrote would be nowhere. Set LEAD_STORE, ' +
				'for example LEAD_STORE=sqlite:var/leads.db',
		]);
	if (secret && !urls) faults.push(missing('LEAD_WEBHOOK_URL', 'LEAD_WEBHOOK_SECRET has nothing to sign', receiver));
	if (secret && webhooks.length > 0 && onlyChat(webhooks))
		faults.push([
			'LEAD_WEBHOOK_SECRET',
			'signs json webhooks, and LEAD_WEBHOOK_URL names none: leave it out, or set the format, for example LEAD_WEBHOOK_FORMAT=json',
		]);
	return faults;
}

const onlyInChat = ({ SMTP_URL, LEAD_MAILBOX, LEAD_STORE }: Variables, webhooks: Webhook[]) =>
	LEAD_STORE === 'none' && !SMTP_URL && !LEAD_MAILBOX && webhooks.length > 0 && onlyChat(webhooks);

const onlyChat = (webhooks: Webhook[]) => webhooks.every(({ url, format }) => !formatFor(url, format).forPrograms);
