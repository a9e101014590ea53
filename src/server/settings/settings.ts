import * as z from 'zod';
import { defaultLanguage } from '../../facts/load.ts';
import { targetsOf, urlFault } from '../../channels/webhook.ts';
import { withoutCredentials } from '../../channels/programs.ts';
import { duration, durationOrNone, listOf, LONGEST_KEPT, rateLimitOrOff, textLike } from '../../lead/values.ts';
import { buildSchema, environmentWithFile, readVariables, warnOfUnknown } from './environment.ts';
import * as rule from './rules.ts';

/** The settings of a running program, each under the name of its variable. `.env.example` explains each. */
const schema = z.object({
	HOST: rule.host.default('localhost'),
	PORT: rule.port.prefault('4321'),
	SMTP_URL: rule.smtpUrl.optional(),
	LEAD_EMAIL_TO: listOf(/[\s,]+/, rule.address('one address or several between commas', 'sales@example.com')).optional(),
	LEAD_EMAIL_FROM: rule.address('one address on your own domain', 'website@example.com').optional(),
	LEAD_EMAIL_ROUTES: rule.mailRoutes.optional(),
	LEAD_EMAIL_CONFIRM: rule.onOff('off'),
	LEAD_WEBHOOK_URL: listOf(/\s+/, rule.webhookUrl).optional(),
	LEAD_WEBHOOK_FORMAT: listOf(/\s+/, rule.webhookFormat).prefault('auto'),
	LEAD_CHAT_MESSAGE: rule.onOff('on'),
	LEAD_WEBHOOK_SECRET: listOf(
		/\s+/,
		textLike(
			/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
			'whsec_ followed by at least 24 bytes in base64',
			'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
		),
	).optional(),
	LEAD_MAILBOX: rule.writableFolder.optional(),
	LEAD_STORE: rule.store.prefault('sqlite:var/leads.db'),
	LEAD_RETENTION: durationOrNone(LONGEST_KEPT, '30d').prefault('30d'),
	LEAD_RETRY: listOf(/\s+/, duration(LONGEST_KEPT, '5m')).prefault('5s 5m 30m 2h 5h 10h 14h 20h 24h'),
	LEAD_LANGUAGE: rule.teamLanguage.prefault(defaultLanguage),
	LEAD_TIME_ZONE: rule.timeZone.default('UTC'),
	LEAD_RATE_LIMIT: rateLimitOrOff(rule.USUAL_LIMIT).prefault(rule.USUAL_LIMIT),
	LEAD_SPAM: rule.oneOf(['off', 'mark', 'hold'], 'hold'),
	LEAD_SPAM_URL: rule.engineUrl.optional(),
	METRICS_ADDRESS: rule.privateAddress.optional(),
	TRUST_PROXY: textLike(/^\d$/, 'how many proxies stand in front', '1').default('0').transform(Number),
	FUNCTION_SECRET: textLike(/^[\w-]{32,}$/, '32 or more letters and digits', 'what `openssl rand -hex 32` prints').optional(),
	LOG_LEVEL: rule.oneOf(['debug', 'info', 'warn', 'error'], 'info'),
});

export type Settings = z.output<typeof schema>;

/** The names of all variables. */
export const variableNames = [buildSchema, schema].flatMap(({ shape }) => Object.keys(shape));

/**
 * Reads the settings, by default from the environment and, for variables not set there, from `.env`. Warns of misspelt names.
 *
 * @param defaults replace those in `.env.example`
 * @throws {SettingsError} naming each variable at fault, its fault, and an example
 */
export function readSettings(environment = environmentWithFile(), defaults: NodeJS.ProcessEnv = {}): Settings {
	warnOfUnknown(environment, /^(LEAD|SMTP|SITE|METRICS)_\w+$/, variableNames);
	return readVariables(checkedSchema, environment, defaults);
}

const missing = (because: string, example: string) => `is missing: ${because}, for example ${example}`;
const SERVER = `SMTP_URL=${rule.SMTP_EXAMPLE}`;
const RECEIVER = 'LEAD_WEBHOOK_URL=https://crm.example.com/leads';

/** Returns the faults of settings that are each right by themselves: the variable, and the rest of the sentence if it is a fault. */
function faultsOf(settings: Settings): [variable: keyof Settings, fault: string | false | undefined][] {
	const {
		SMTP_URL: smtp,
		LEAD_EMAIL_TO: to,
		LEAD_EMAIL_FROM: from,
		LEAD_EMAIL_ROUTES: routes,
		LEAD_EMAIL_CONFIRM: confirm,
		LEAD_WEBHOOK_URL: urls,
		LEAD_WEBHOOK_FORMAT: formats,
		LEAD_WEBHOOK_SECRET: secret,
	} = settings;
	const targets = targetsOf(settings);
	const every = (is: (format: (typeof targets)[number]['format']) => unknown) =>
		targets.length > 0 && targets.every(({ format }) => is(format));
	const sizeOf = (nameOf: (url: URL) => string) => new Set(urls?.map(nameOf)).size;
	const isMailed = Boolean(smtp ?? settings.LEAD_MAILBOX);
	const isKept = settings.LEAD_STORE.kind !== 'none';
	return [
		['LEAD_EMAIL_TO', smtp && !to && missing('SMTP_URL needs to know whom to write to', 'LEAD_EMAIL_TO=sales@example.com')],
		[
			'LEAD_EMAIL_FROM',
			smtp && !from && missing('SMTP_URL needs a sender on your own domain', 'LEAD_EMAIL_FROM=website@example.com'),
		],
		['SMTP_URL', to && !isMailed && missing('LEAD_EMAIL_TO names recipients and no server to send by', SERVER)],
		['SMTP_URL', from && !to && !isMailed && missing('LEAD_EMAIL_FROM names a sender and no server to send by', SERVER)],
		['SMTP_URL', routes && !isMailed && missing('LEAD_EMAIL_ROUTES has no server to send by', SERVER)],
		['SMTP_URL', confirm && !smtp && missing('LEAD_EMAIL_CONFIRM needs a server to send by', SERVER)],
		[
			'LEAD_STORE',
			confirm &&
				!isKept &&
				'must remember who got a confirmation where LEAD_EMAIL_CONFIRM is on, for example LEAD_STORE=sqlite:var/leads.db',
		],
		...targets.map(({ url, format }): ['LEAD_WEBHOOK_URL', string | undefined] => ['LEAD_WEBHOOK_URL', urlFault(url, format)]),
		[
			'LEAD_WEBHOOK_FORMAT',
			formats.length > 1 &&
				formats.length !== urls?.length &&
				'must be one format for all of LEAD_WEBHOOK_URL or one for each, for example auto mattermost for two URLs',
		],
		[
			'LEAD_WEBHOOK_URL',
			sizeOf(withoutCredentials) < sizeOf(({ href }) => href) &&
				'must have no URL twice, with another user name or password: only these would tell the channels apart, and no log may show them',
		],
		[
			'LEAD_WEBHOOK_URL',
			every(({ leadsOnly }) => leadsOnly) &&
				!isMailed &&
				'names nothing but a CRM, which gets leads alone: who hears that leads are held, or that a channel fails? ' +
					'Set a channel for people too, for example LEAD_MAILBOX=var/mailbox',
		],
		[
			'LEAD_WEBHOOK_URL',
			!urls && formats.some((format) => format !== 'auto') && missing('LEAD_WEBHOOK_FORMAT has nothing to write to', RECEIVER),
		],
		[
			'LEAD_CHAT_MESSAGE',
			!settings.LEAD_CHAT_MESSAGE &&
				every(({ forPrograms }) => !forPrograms) &&
				!isMailed &&
				!isKept &&
				'must be on where a lead goes to chat alone: with off, what a visitor wrote would be nowhere. Set LEAD_STORE, ' +
					'for example LEAD_STORE=sqlite:var/leads.db',
		],
		['LEAD_WEBHOOK_URL', secret && !urls && missing('LEAD_WEBHOOK_SECRET has nothing to sign', RECEIVER)],
		[
			'LEAD_WEBHOOK_SECRET',
			secret &&
				every(({ name }) => name !== 'json') &&
				'signs json webhooks, and LEAD_WEBHOOK_URL names none: leave it out, or set the format, for example LEAD_WEBHOOK_FORMAT=json',
		],
		[
			'LEAD_SPAM',
			settings.LEAD_SPAM === 'off' && settings.LEAD_SPAM_URL && 'must be mark or hold where LEAD_SPAM_URL names an engine to ask',
		],
	];
}

/** With the faults of combinations, once each setting is right by itself. */
const checkedSchema = schema.superRefine(
	(settings, context) => {
		for (const [variable, fault] of faultsOf(settings))
			if (fault) context.addIssue({ code: 'custom', path: [variable], message: fault });
	},
	{ when: ({ issues }) => issues.length === 0 },
);
