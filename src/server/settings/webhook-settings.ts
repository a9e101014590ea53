import * as z from 'zod';
import { formatFor, formatNames, urlFault } from '../../lead/channels/known-formats.ts';
import { storeVariable } from './lead-settings.ts';
import { mailVariables } from './mail-settings.ts';
import { type Fault, group, missing, must, onOff, protocolOf, several, type Values } from './setting-values.ts';

const isLoopback = (value: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(value).hostname);

const webhookUrl = z
	.string()
	.refine(
		(value) => protocolOf(value) === 'https:' || (protocolOf(value) === 'http:' && isLoopback(value)),
		must(
			'one https URL or several between spaces (http only for this machine)',
			'https://hooks.slack.com/services/T000/B000/XXXX',
		),
	)
	.transform((value) => new URL(value))
	// The Fetch Standard refuses to ask a URL with credentials.
	.refine(
		({ username, password }) => !username && !password,
		must('a URL without a user name and password', 'https://hooks.example.com/leads'),
	);

const webhookFormat = z.enum(['auto', ...formatNames], must(['auto', ...formatNames].join(' or '), 'auto'));

const signingSecret = z
	.string()
	.regex(
		/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
		must('whsec_ followed by at least 24 bytes in base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
	);

const variables = {
	LEAD_WEBHOOK_URL: several(/\s+/, webhookUrl).optional(),
	/** One for all URLs, or one for each. */
	LEAD_WEBHOOK_FORMAT: several(/\s+/, webhookFormat).prefault('auto'),
	LEAD_WEBHOOK_SECRET: several(/\s+/, signingSecret).optional(),
	LEAD_CHAT_MESSAGE: onOff('on'),
	...mailVariables,
	...storeVariable,
};

/** Each webhook with its format. */
const targetsOf = ({ LEAD_WEBHOOK_URL: urls = [], LEAD_WEBHOOK_FORMAT: formats }: Values<typeof variables>) =>
	urls.map((url, index) => ({ url, format: formats[formats.length === 1 ? 0 : index] ?? 'auto' }));

const receiver = 'https://crm.example.com/leads';

function urlFaults(values: Values<typeof variables>): Fault[] {
	return targetsOf(values).flatMap(({ url, format }): Fault[] => {
		const fault = urlFault(url, format);
		return fault === undefined ? [] : [['LEAD_WEBHOOK_URL', fault]];
	});
}

function formatFaults({ LEAD_WEBHOOK_URL: urls, LEAD_WEBHOOK_FORMAT: formats }: Values<typeof variables>): Fault[] {
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

function chatFaults(values: Values<typeof variables>): Fault[] {
	const { LEAD_WEBHOOK_URL: urls, LEAD_WEBHOOK_SECRET: secret, SMTP_URL, LEAD_MAILBOX, LEAD_STORE } = values;
	const onlyChat = urls !== undefined && targetsOf(values).every(({ url, format }) => !formatFor(url, format).forPrograms);
	const faults: Fault[] = [];
	if (!values.LEAD_CHAT_MESSAGE && onlyChat && LEAD_STORE.kind === 'none' && !SMTP_URL && !LEAD_MAILBOX)
		faults.push([
			'LEAD_CHAT_MESSAGE',
			'must be on where a lead goes to chat alone: with off, what a visitor wrote would be nowhere. Set LEAD_STORE, ' +
				'for example LEAD_STORE=sqlite:var/leads.db',
		]);
	if (secret && !urls) faults.push(missing('LEAD_WEBHOOK_URL', 'LEAD_WEBHOOK_SECRET has nothing to sign', receiver));
	if (secret && onlyChat)
		faults.push([
			'LEAD_WEBHOOK_SECRET',
			'signs json webhooks, and LEAD_WEBHOOK_URL names none: leave it out, or set the format, for example LEAD_WEBHOOK_FORMAT=json',
		]);
	return faults;
}

/** Chat and other webhooks. */
export const webhookSettings = group(
	variables,
	(values) => [...urlFaults(values), ...formatFaults(values), ...chatFaults(values)],
	(values) => ({
		webhooks: {
			targets: targetsOf(values),
			/** What signs those of the format `json`. */
			secrets: values.LEAD_WEBHOOK_SECRET ?? [],
			/** Whether chat shows the visitor's free text. */
			freeText: values.LEAD_CHAT_MESSAGE,
		},
	}),
);
