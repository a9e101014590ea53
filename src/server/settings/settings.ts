import * as z from 'zod';
import { defaultLanguage } from '../../facts/load.ts';
import { formatFor, type FormatName, urlFault } from '../../channels/webhook.ts';
import { withoutCredentials } from '../../channels/programs.ts';
import { duration, durationOrNone, listOf, LONGEST_KEPT, rateLimitOrOff, textLike } from '../../lead/values.ts';
import { buildVariables, check, environmentWithFile, warnOfUnknown } from './environment.ts';
import * as rule from './rules.ts';

/** The variables that a running program reads. `.env.example` explains each. */
const variables = {
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
};

type Values = z.output<z.ZodObject<typeof variables>>;

/** The names of all variables. */
export const variableNames = [...Object.keys(buildVariables), ...Object.keys(variables)];

/** A fault of variables that are each right by themselves: the variable, and the rest of the sentence. A falsy item is no fault. */
type Faults = ([variable: keyof Values, fault: string] | '' | false | undefined)[];

/** Returns the fault of a variable that is missing but that another one needs. */
const missing = (variable: keyof Values, because: string, example: string): [keyof Values, string] => [
	variable,
	`is missing: ${because}, for example ${variable}=${example}`,
];

function mailFaults(values: Values): Faults {
	const {
		SMTP_URL: smtp,
		LEAD_EMAIL_TO: to,
		LEAD_EMAIL_FROM: from,
		LEAD_EMAIL_ROUTES: routes,
		LEAD_EMAIL_CONFIRM: confirm,
	} = values;
	const isSent = smtp ?? values.LEAD_MAILBOX;
	const noServer = (because: string) => missing('SMTP_URL', because, rule.SMTP_EXAMPLE);
	return [
		smtp && !to && missing('LEAD_EMAIL_TO', 'SMTP_URL needs to know whom to write to', 'sales@example.com'),
		smtp && !from && missing('LEAD_EMAIL_FROM', 'SMTP_URL needs a sender on your own domain', 'website@example.com'),
		to && !isSent && noServer('LEAD_EMAIL_TO names recipients and no server to send by'),
		from && !to && !isSent && noServer('LEAD_EMAIL_FROM names a sender and no server to send by'),
		routes && !isSent && noServer('LEAD_EMAIL_ROUTES has no server to send by'),
		confirm && !smtp && noServer('LEAD_EMAIL_CONFIRM needs a server to send by'),
		confirm &&
			values.LEAD_STORE.kind === 'none' && [
				'LEAD_STORE',
				'must remember who got a confirmation where LEAD_EMAIL_CONFIRM is on, for example LEAD_STORE=sqlite:var/leads.db',
			],
	];
}

const RECEIVER = 'https://crm.example.com/leads';

function webhookFaults(values: Values): Faults {
	const { LEAD_WEBHOOK_URL: urls, LEAD_WEBHOOK_FORMAT: formats, LEAD_WEBHOOK_SECRET: secret } = values;
	const targets = targetsOf(values);
	const known = targets.map(({ url, format }) => formatFor(url, format));
	const sizeOf = (nameOf: (url: URL) => string) => new Set(urls?.map(nameOf)).size;
	const isMailed = values.SMTP_URL ?? values.LEAD_MAILBOX;
	const isKept = isMailed ?? values.LEAD_STORE.kind !== 'none';
	return [
		...targets.map(({ url, format }): Faults[number] => {
			const fault = urlFault(url, format);
			return fault && ['LEAD_WEBHOOK_URL', fault];
		}),
		formats.length > 1 &&
			formats.length !== urls?.length && [
				'LEAD_WEBHOOK_FORMAT',
				'must be one format for all of LEAD_WEBHOOK_URL or one for each, for example auto mattermost for two URLs',
			],
		sizeOf(withoutCredentials) < sizeOf(({ href }) => href) && [
			'LEAD_WEBHOOK_URL',
			'must have no URL twice, with another user name or password: only these would tell the channels apart, and no log may show them',
		],
		known.some(({ leadsOnly }) => leadsOnly) &&
			known.every(({ leadsOnly }) => leadsOnly) &&
			!isMailed && [
				'LEAD_WEBHOOK_URL',
				'names nothing but a CRM, which gets leads alone: who hears that leads are held, or that a channel fails? ' +
					'Set a channel for people too, for example LEAD_MAILBOX=var/mailbox',
			],
		!urls &&
			formats.some((format) => format !== 'auto') &&
			missing('LEAD_WEBHOOK_URL', 'LEAD_WEBHOOK_FORMAT has nothing to write to', RECEIVER),
		!values.LEAD_CHAT_MESSAGE &&
			urls &&
			known.every(({ forPrograms }) => !forPrograms) &&
			!isKept && [
				'LEAD_CHAT_MESSAGE',
				'must be on where a lead goes to chat alone: with off, what a visitor wrote would be nowhere. Set LEAD_STORE, ' +
					'for example LEAD_STORE=sqlite:var/leads.db',
			],
		secret && !urls && missing('LEAD_WEBHOOK_URL', 'LEAD_WEBHOOK_SECRET has nothing to sign', RECEIVER),
		secret &&
			urls &&
			known.every(({ name }) => name !== 'json') && [
				'LEAD_WEBHOOK_SECRET',
				'signs json webhooks, and LEAD_WEBHOOK_URL names none: leave it out, or set the format, for example LEAD_WEBHOOK_FORMAT=json',
			],
	];
}

const spamFaults = ({ LEAD_SPAM, LEAD_SPAM_URL }: Values): Faults => [
	LEAD_SPAM === 'off' && LEAD_SPAM_URL && ['LEAD_SPAM', 'must be mark or hold where LEAD_SPAM_URL names an engine to ask'],
];

/** Pairs each webhook with its format. There is one format for all, or one for each. */
const targetsOf = ({ LEAD_WEBHOOK_URL: urls = [], LEAD_WEBHOOK_FORMAT: formats }: Values) =>
	urls.map((url, index): { url: URL; format: FormatName | 'auto' } => ({
		url,
		format: formats[formats.length === 1 ? 0 : index] ?? 'auto',
	}));

const settingsSchema = z.object(variables).transform((values, context) => {
	for (const fault of [mailFaults, webhookFaults, spamFaults].flatMap((faultsOf) => faultsOf(values)))
		if (fault) context.addIssue({ code: 'custom', path: [fault[0]], message: fault[1] });
	return {
		host: values.HOST,
		/** 0 lets the system choose. */
		port: values.PORT,
		/** Where metrics are served. Undefined: nowhere. */
		metrics: values.METRICS_ADDRESS,
		/** The number of proxies in front of us that append to `X-Forwarded-For`. */
		trustProxy: values.TRUST_PROXY,
		/** The secret that a request to a function must have in `X-Function-Secret`. Undefined: none is needed. */
		functionSecret: values.FUNCTION_SECRET,
		logLevel: values.LOG_LEVEL,
		/** URL of the mail server. */
		smtp: values.SMTP_URL,
		/** Parties of the sales team's mail, by SMTP or into the mailbox. */
		email: { to: values.LEAD_EMAIL_TO, from: values.LEAD_EMAIL_FROM, routes: values.LEAD_EMAIL_ROUTES },
		/** Whether visitors get a confirmation by mail. */
		confirm: values.LEAD_EMAIL_CONFIRM,
		/** Folder of a Maildir. */
		mailbox: values.LEAD_MAILBOX,
		webhooks: {
			targets: targetsOf(values),
			/** Sign webhooks of the format `json`. */
			secrets: values.LEAD_WEBHOOK_SECRET ?? [],
			/** Whether chat shows the visitor's free text. */
			freeText: values.LEAD_CHAT_MESSAGE,
		},
		/** Where leads are kept until they are delivered. */
		store: values.LEAD_STORE,
		/** The language of the sales team, one of the published languages, and its time zone. */
		language: values.LEAD_LANGUAGE,
		timeZone: values.LEAD_TIME_ZONE,
		/** How long a delivered lead is kept, in seconds. */
		retention: values.LEAD_RETENTION,
		/** How long to wait after each failed try, in seconds. */
		schedule: values.LEAD_RETRY,
		/** Undefined: no limit. `window` is in seconds. */
		rateLimit: values.LEAD_RATE_LIMIT,
		/** The treatment of leads that look like spam, and the engine that is asked too. */
		spam: { mode: values.LEAD_SPAM, url: values.LEAD_SPAM_URL },
	};
});

export type Settings = z.output<typeof settingsSchema>;

/**
 * Reads the settings, by default from the environment and, for variables not set there, from `.env`. Warns of misspelt names.
 *
 * @param defaults replace those in `.env.example`
 * @throws {SettingsError} naming each variable at fault, its fault, and an example
 */
export function readSettings(environment = environmentWithFile(), defaults: NodeJS.ProcessEnv = {}): Settings {
	warnOfUnknown(environment, /^(LEAD|SMTP|SITE|METRICS)_\w+$/, variableNames);
	return check(settingsSchema, Object.keys(variables), environment, defaults);
}
