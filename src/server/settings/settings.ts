import { createSecretKey } from 'node:crypto';
import * as z from 'zod';
import { defaultRateLimit } from '../../facts/facts.ts';
import { defaultLanguage } from '../../facts/load.ts';
import { formatFor, formatNames, urlFault } from '../../channels/webhook.ts';
import { withoutCredentials } from '../../channels/programs.ts';
import { duration, listOf, LONGEST_KEPT, rateLimitOrOff, textLike } from '../../lead/values.ts';
import { buildSchema, environmentWithFile, readVariables, warnOfUnknown } from './environment.ts';
import * as rule from './rules.ts';

const USUAL_STORE = 'sqlite:var/leads.db';
const SECRET = textLike(/^[\w-]{32,}$/, '32 or more letters and digits', 'what `openssl rand -hex 32` prints');
const SIGNING_SECRET = textLike(
	/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
	'whsec_ and 24 or more bytes in base64',
	'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
);
const USUAL_LIMIT = `${defaultRateLimit.leads}/${defaultRateLimit.minutes}m`;

/** The settings of a running program, each under the name of its variable. `.env.example` explains each. */
const schema = z.object({
	HOST: rule.host.default('localhost').describe('The address where the server listens.'),
	PORT: rule.port.prefault('4321').describe('The port where the server listens.'),
	SMTP_URL: rule.smtpUrl.optional().describe('The mail server to send by.'),
	LEAD_EMAIL_TO: listOf(/[\s,]+/, rule.address('one address or several between commas', 'sales@example.com'))
		.optional()
		.describe('Who gets leads by mail. Several are separated by commas.'),
	LEAD_EMAIL_FROM: rule
		.address('one address on your own domain', 'website@example.com')
		.optional()
		.describe('The sender of mails, on your own domain, and none of the recipients.'),
	LEAD_EMAIL_ROUTES: rule.mailRoutes.optional().describe('Who gets which leads in place of `LEAD_EMAIL_TO`.'),
	LEAD_AUTOREPLY: rule.onOff('off').describe('`on`: visitors get a fixed mail that confirms their lead.'),
	LEAD_BOUNCES_URL: rule.imapUrl
		.optional()
		.describe('The mailbox of `LEAD_EMAIL_FROM`, in which mails are found that came back.'),
	LEAD_WEBHOOK_URL: listOf(/\s+/, rule.webhookUrl)
		.optional()
		.describe('Chat, a CRM or a program that gets leads. Several are separated by spaces.'),
	LEAD_WEBHOOK_FORMAT: listOf(/\s+/, rule.oneOf('auto', ...formatNames))
		.prefault('auto')
		.describe('The format of webhooks: `auto` by the URL, `json`, `hubspot`, or a chat service.'),
	LEAD_CHAT_MESSAGE: rule
		.onOff('on')
		.describe("`off`: the visitor's message, which may hold a patient's data, stays out of chat."),
	LEAD_WEBHOOK_SECRET: listOf(/\s+/, SIGNING_SECRET).optional().describe('Signs json webhooks.'),
	LEAD_MAILBOX: rule.writableFolder.optional().describe('A Maildir to deliver leads into.'),
	LEAD_STORE: rule.store
		.prefault(USUAL_STORE)
		.describe(
			'Where leads are kept: `sqlite:PATH`, `postgres://…` or `none`. By default under systemd `leads.db` in its folder for us.',
		),
	LEAD_RETENTION: duration(LONGEST_KEPT, '30d', '0')
		.prefault('30d')
		.describe('How long after it came a delivered lead is kept. `0` deletes it on delivery.'),
	LEAD_RETRY: listOf(/\s+/, duration(LONGEST_KEPT, '5m'))
		.prefault('5s 5m 30m 2h 5h 10h 14h 20h 24h')
		.describe('The waits between the tries of a delivery. After the last it is parked.'),
	LEAD_ACTIONS: rule.onOff('on').describe('`on`: messages have links by which the sales team acts on a lead.'),
	LEAD_SILENCE_ALERT: rule.onOff('on').describe('`on`: a notice comes when no lead has come for much longer than usual.'),
	LEAD_REMIND: duration('14d', '24h', 'off')
		.prefault('24h')
		.describe('How long nobody may have taken a lead before a reminder names it. `off`: there is no reminder.'),
	LEAD_LANGUAGE: rule.teamLanguage.prefault(defaultLanguage).describe('The language of messages to the sales team.'),
	LEAD_TIME_ZONE: rule.timeZone.default('UTC').describe('The time zone in messages to the sales team.'),
	LEAD_RATE_LIMIT: rateLimitOrOff(USUAL_LIMIT)
		.prefault(USUAL_LIMIT)
		.describe('How many leads one client may send in which time, and ten times as many requests. `off`: no limit.'),
	LEAD_SPAM: rule
		.oneOf('off', 'mark', 'hold')
		.default('hold')
		.describe('`hold` quarantines spam, `mark` delivers it marked, `off` judges nothing.'),
	LEAD_SPAM_URL: listOf(/\s+/, rule.engineUrl)
		.optional()
		.describe('An rspamd of your own or a language model that is asked too. Several are separated by spaces.'),
	METRICS_ADDRESS: rule.ownAddress.optional().describe('Where Prometheus reads metrics. The internet must not reach it.'),
	TRUST_PROXY: textLike(/^\d$/, 'how many proxies stand in front', '1')
		.default('0')
		.transform(Number)
		.describe('How many proxies in front append to `X-Forwarded-For`: 1 behind nginx or Caddy.'),
	FUNCTION_SECRET: SECRET.optional().describe('Proves to a function that a request came through your proxy.'),
	CANARY_SECRET: SECRET.transform((text) => createSecretKey(text, 'utf8'))
		.optional()
		.describe('Signs canaries.'),
	CANARY_EMAIL_TO: rule.address('one address', 'canary@example.com').optional().describe('Where canaries go by mail.'),
	CANARY_IMAP_URL: rule.imapUrl.optional().describe('The mailbox in which the doctor finds that a canary has arrived.'),
	CANARY_WEBHOOK: rule.privateAddress.optional().describe('Where the doctor listens for canaries, in place of a mailbox.'),
	LOG_LEVEL: rule
		.oneOf('debug', 'info', 'warn', 'error')
		.default('info')
		.describe('The lowest level that is logged: `debug`, `info`, `warn` or `error`.'),
});

export type Settings = z.output<typeof schema>;

/** Pairs each webhook of the settings with its format. There is one format for all, or one for each. */
export const targetsOf = ({ LEAD_WEBHOOK_URL: urls = [], LEAD_WEBHOOK_FORMAT: names }: Settings) =>
	urls.map((url, index) => ({ url, format: formatFor(url, names[index] ?? names[0]!) }));

/** All variables by their names, each described. */
export const variables = { ...buildSchema.shape, ...schema.shape };

/**
 * Reads the settings, by default from the environment and, for variables not set there, from `.env`. Warns of misspelt names.
 * @param defaults replace those of the schema, and systemd's folder
 * @throws {SettingsError}
 */
export function readSettings(environment = environmentWithFile(), defaults: NodeJS.ProcessEnv = {}): Settings {
	warnOfUnknown(environment, /^(LEAD|SMTP|SITE|METRICS|CANARY|TRUST|FUNCTION)_\w+$/, Object.keys(variables));
	// systemd names the folder that it keeps for a service.
	const { STATE_DIRECTORY: folder } = environment;
	return readVariables(checkedSchema, environment, { ...(folder && { LEAD_STORE: `sqlite:${folder}/leads.db` }), ...defaults });
}

/** Yields the faults of settings that are each right by themselves: the variable, and the rest of the sentence. */
function* faultsOf(settings: Settings): Generator<[variable: keyof Settings, fault: string]> {
	const { SMTP_URL: smtp, LEAD_WEBHOOK_URL: urls, LEAD_WEBHOOK_FORMAT: formats, LEAD_WEBHOOK_SECRET: secret } = settings;
	const isMailed = Boolean(smtp ?? settings.LEAD_MAILBOX);
	const isKept = settings.LEAD_STORE.kind !== 'none';
	const mailing = (['LEAD_EMAIL_TO', 'LEAD_EMAIL_FROM', 'LEAD_EMAIL_ROUTES'] as const).find((name) => settings[name]);
	const mailed = (['LEAD_AUTOREPLY', 'LEAD_BOUNCES_URL', 'CANARY_EMAIL_TO'] as const).find((name) => settings[name]);
	const unsent = !smtp && (mailed ?? (!isMailed && mailing));
	if (unsent) yield ['SMTP_URL', `is missing: ${unsent} needs a server to send by, for example SMTP_URL=${rule.SMTP_EXAMPLE}`];
	if (smtp && !settings.LEAD_EMAIL_TO)
		yield ['LEAD_EMAIL_TO', 'is missing: SMTP_URL needs to know whom to write to, for example LEAD_EMAIL_TO=sales@example.com'];
	if (smtp && !settings.LEAD_EMAIL_FROM)
		yield ['LEAD_EMAIL_FROM', 'is missing: SMTP_URL needs a sender on your own domain, for example website@example.com'];
	const canary = (['CANARY_EMAIL_TO', 'CANARY_IMAP_URL', 'CANARY_WEBHOOK'] as const).find((name) => settings[name]);
	if (canary && !settings.CANARY_SECRET)
		yield ['CANARY_SECRET', `is missing: ${canary} needs it, so that only you can send a canary`];
	const remembered = (['LEAD_AUTOREPLY', 'LEAD_BOUNCES_URL'] as const).find((name) => settings[name]);
	if (remembered && !isKept)
		yield ['LEAD_STORE', `must remember which mails were sent where ${remembered} is set, for example ${USUAL_STORE}`];
	if (!urls && (secret || formats.some((format) => format !== 'auto')))
		yield [
			'LEAD_WEBHOOK_URL',
			'is missing: LEAD_WEBHOOK_FORMAT and LEAD_WEBHOOK_SECRET need it, for example https://crm.example.com/leads',
		];
	if (formats.length > 1 && formats.length !== urls?.length)
		yield ['LEAD_WEBHOOK_FORMAT', 'must be one format for all of LEAD_WEBHOOK_URL or one for each, for example auto mattermost'];

	const targets = targetsOf(settings);
	for (const { url, format } of targets) {
		const fault = urlFault(url, format);
		if (fault) yield ['LEAD_WEBHOOK_URL', fault];
	}
	if (new Set(urls?.map(withoutCredentials)).size < new Set(urls?.map(({ href }) => href)).size)
		yield ['LEAD_WEBHOOK_URL', 'must have no URL twice, even with another user name or password: no log could tell them apart'];
	if (urls && targets.every(({ format }) => format.leadsOnly) && !isMailed)
		yield [
			'LEAD_WEBHOOK_URL',
			'names only CRMs, which get no notices: no person would learn that leads are quarantined, or that a channel fails. ' +
				'Set a channel for people too, for example LEAD_MAILBOX=var/mailbox',
		];
	if (secret && urls && !targets.some(({ format }) => format.name === 'json'))
		yield ['LEAD_WEBHOOK_SECRET', 'signs json webhooks, and LEAD_WEBHOOK_URL names none: leave it out, or set the format json'];
	if (!settings.LEAD_CHAT_MESSAGE && urls && !targets.some(({ format }) => format.forPrograms) && !isMailed && !isKept)
		yield ['LEAD_CHAT_MESSAGE', 'must be on where a lead goes to chat alone and no LEAD_STORE keeps what the visitor wrote'];
	if (settings.LEAD_SPAM === 'off' && settings.LEAD_SPAM_URL)
		yield ['LEAD_SPAM', 'must be mark or hold where LEAD_SPAM_URL names an engine to ask'];
}

/** With the faults of combinations, once each setting is right by itself. */
const checkedSchema = schema.superRefine(
	(settings, context) => {
		for (const [variable, message] of faultsOf(settings)) context.addIssue({ code: 'custom', path: [variable], message });
	},
	{ when: ({ issues }) => issues.length === 0 },
);
