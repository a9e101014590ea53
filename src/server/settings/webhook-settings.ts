import * as z from 'zod';
import { formatFor, type FormatName, formatNames, urlFault, withoutCredentials } from '../../lead/channels/known-formats.ts';
import { storeVariable } from './lead-settings.ts';
import { mailVariables } from './mail-settings.ts';
import { isLoopback, mustBe, listOf } from '../../values/value.ts';
import { type Faults, group, missing, onOff, protocolOf } from './setting-values.ts';

const isLocal = (value: string) => protocolOf(value) === 'http:' && isLoopback(new URL(value));

/** Several URLs with commas, read as one URL, would reach nobody. */
const endsWithComma = /,(?:$|https?:)/i;

const webhookUrl = z
	.string()
	.refine(
		(value) => !endsWithComma.test(value) && (protocolOf(value) === 'https:' || isLocal(value)),
		mustBe(
			'one https URL or several between spaces (http only for this machine)',
			'https://hooks.slack.com/services/T000/B000/XXXX',
		),
	)
	.transform((value) => new URL(value));

const webhookFormat = z.enum(['auto', ...formatNames], mustBe(['auto', ...formatNames].join(' or '), 'auto'));

const signingSecret = z
	.string()
	.regex(
		/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
		mustBe('whsec_ followed by at least 24 bytes in base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
	);

/** Pairs each webhook with its format. There is one format for all, or one for each. */
const targetsOf = (urls: URL[] = [], formats: (FormatName | 'auto')[]) =>
	urls.map((url, index) => ({ url, format: formats[formats.length === 1 ? 0 : index] ?? 'auto' }));

const formatOf = ({ url, format }: ReturnType<typeof targetsOf>[number]) => formatFor(url, format);

const receiver = 'https://crm.example.com/leads';
const UNHEARD =
	'names nothing but a CRM, which gets leads alone: who hears that leads are held, or that a channel fails? ' +
	'Set a channel for people too, for example LEAD_MAILBOX=var/mailbox';
const NOTHING_TO_SIGN =
	'signs json webhooks, and LEAD_WEBHOOK_URL names none: leave it out, or set the format, for example LEAD_WEBHOOK_FORMAT=json';

export const webhookSettings = group(
	{
		LEAD_WEBHOOK_URL: listOf(/\s+/, webhookUrl).optional(),
		LEAD_WEBHOOK_FORMAT: listOf(/\s+/, webhookFormat).prefault('auto'),
		LEAD_WEBHOOK_SECRET: listOf(/\s+/, signingSecret).optional(),
		LEAD_CHAT_MESSAGE: onOff('on'),
		...mailVariables,
		...storeVariable,
	},
	(values) => {
		const { LEAD_WEBHOOK_URL: urls, LEAD_WEBHOOK_FORMAT: formats, LEAD_WEBHOOK_SECRET: secret } = values;
		const targets = targetsOf(urls, formats);
		const sizeOf = (nameOf: (url: URL) => string) => new Set(urls?.map(nameOf)).size;
		const unpaired = formats.length > 1 && formats.length !== urls?.length;
		const idleFormat = !urls && formats.some((format) => format !== 'auto');
		const onlyChat = urls !== undefined && targets.every((target) => !formatOf(target).forPrograms);
		const mailed = values.SMTP_URL ?? values.LEAD_MAILBOX;
		const keptElsewhere = mailed ?? values.LEAD_STORE.kind !== 'none';
		const crms = targets.filter((target) => formatOf(target).leadsOnly);
		const unheard = crms.length > 0 && crms.length === targets.length && !mailed;
		const lost = !values.LEAD_CHAT_MESSAGE && onlyChat && !keptElsewhere;
		return [
			...targets
				.map((target) => urlFault(target.url, target.format))
				.map((fault): Faults[number] => fault && ['LEAD_WEBHOOK_URL', fault]),
			unpaired && [
				'LEAD_WEBHOOK_FORMAT',
				'must be one format for all of LEAD_WEBHOOK_URL or one for each, for example auto mattermost for two URLs',
			],
			sizeOf(withoutCredentials) < sizeOf(({ href }) => href) && [
				'LEAD_WEBHOOK_URL',
				'must have no URL twice, with another user name or password: only these would tell the channels apart, and no log may show them',
			],
			unheard && ['LEAD_WEBHOOK_URL', UNHEARD],
			idleFormat && missing('LEAD_WEBHOOK_URL', 'LEAD_WEBHOOK_FORMAT has nothing to write to', receiver),
			lost && [
				'LEAD_CHAT_MESSAGE',
				'must be on where a lead goes to chat alone: with off, what a visitor wrote would be nowhere. Set LEAD_STORE, ' +
					'for example LEAD_STORE=sqlite:var/leads.db',
			],
			secret && !urls && missing('LEAD_WEBHOOK_URL', 'LEAD_WEBHOOK_SECRET has nothing to sign', receiver),
			secret && urls && !targets.some((target) => formatOf(target).name === 'json') && ['LEAD_WEBHOOK_SECRET', NOTHING_TO_SIGN],
		];
	},
	(values) => ({
		webhooks: {
			targets: targetsOf(values.LEAD_WEBHOOK_URL, values.LEAD_WEBHOOK_FORMAT),
			/** Sign webhooks of the format `json`. */
			secrets: values.LEAD_WEBHOOK_SECRET ?? [],
			/** Whether chat shows the visitor's free text. */
			freeText: values.LEAD_CHAT_MESSAGE,
		},
	}),
);
