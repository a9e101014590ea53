import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import * as z from 'zod';
import { formatNames } from '../lead/channels/formats.ts';

/** Settings that the server cannot start with. The message has a line for each mistake. */
export class SettingsError extends Error {
	override name = 'SettingsError';
}

export type Settings = z.output<typeof settingsSchema>;

/**
 * Reads the settings, by default from the environment and, for variables not set there, from `.env`.
 *
 * @throws {SettingsError} naming each variable at fault, what is wrong with it, and an example
 */
export const readSettings = (environment = environmentWithFile()): Settings => check(settingsSchema, environment);

/**
 * The public origin that the site is built for, without a trailing slash.
 *
 * @throws {SettingsError} as {@link readSettings}
 */
export const siteUrl = (environment = environmentWithFile()): string => check(z.object({ SITE_URL }), environment).SITE_URL;

function environmentWithFile(): NodeJS.ProcessEnv {
	if (existsSync('.env')) loadEnvFile('.env');
	return process.env;
}

function check<Schema extends z.ZodType>(schema: Schema, environment: NodeJS.ProcessEnv): z.output<Schema> {
	const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
	const result = schema.safeParse(set);
	if (result.success) return result.data;
	throw new SettingsError(result.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`).join('\n'));
}

const must = (wish: string, example: string) => ({ error: `must be ${wish}, for example ${example}` });
const protocolOf = (value: string) => (URL.canParse(value) ? new URL(value).protocol : undefined);
const isLoopback = (value: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(value).hostname);

/** Several values in one variable. */
const several = <Item extends z.ZodType<unknown, string>>(separator: RegExp, item: Item) =>
	z
		.string()
		.transform((value) => value.split(separator).filter(Boolean))
		.pipe(z.array(item));

const SITE_URL = z
	.string()
	.refine(
		(value) => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value,
		must('an origin (scheme and host, no path, no slash at the end)', 'https://www.example.com'),
	)
	.default('http://localhost:4321');

const smtpUrl = z
	.string()
	.refine(
		(value) => ['smtp:', 'smtps:'].includes(protocolOf(value) ?? ''),
		must('an smtp or smtps URL with a percent-encoded password', 'smtp://user:password@mail.example.com:587'),
	);

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

const signingSecret = z
	.string()
	.regex(
		/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
		must('whsec_ followed by at least 24 bytes in base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
	);

const secondsIn = { s: 1, m: 60, h: 3600, d: 86_400 };

const rateLimit = z
	.string()
	.regex(/^(off|[1-9]\d*\/[1-9]\d*[smhd])$/, must('a number of leads and a time, or off', '20/10m'))
	.prefault('20/10m')
	.transform((value) => {
		const [limit, window] = value.split('/');
		if (limit === undefined || window === undefined) return undefined;
		return { limit: Number(limit), window: Number.parseInt(window, 10) * secondsIn[window.at(-1) as keyof typeof secondsIn] };
	});

/** `.env.example` explains each variable. */
const settingsSchema = z
	.object({
		HOST: z.string().default('localhost'),
		PORT: z
			.string()
			.regex(/^\d{1,5}$/, must('a port', '4321'))
			.default('4321')
			.transform(Number),
		SMTP_URL: smtpUrl.optional(),
		LEAD_EMAIL_TO: several(/[\s,]+/, z.email(must('one address or several between commas', 'sales@example.com'))).optional(),
		LEAD_EMAIL_FROM: z.email(must('one address on your own domain', 'website@example.com')).optional(),
		LEAD_WEBHOOK_URL: several(/\s+/, webhookUrl).optional(),
		LEAD_WEBHOOK_FORMAT: z.enum(['auto', ...formatNames], must(['auto', ...formatNames].join(' or '), 'auto')).default('auto'),
		LEAD_WEBHOOK_SECRET: several(/\s+/, signingSecret).optional(),
		LEAD_MAILBOX: z.string().optional(),
		LEAD_RATE_LIMIT: rateLimit,
		TRUST_PROXY: z.string().regex(/^\d$/, must('how many proxies stand in front', '1')).default('0').transform(Number),
	})
	.superRefine((variables, context) => {
		const missing = (variable: string, because: string, example: string) =>
			context.addIssue({
				code: 'custom',
				path: [variable],
				message: `is missing: ${because}, for example ${variable}=${example}`,
			});
		if (variables.SMTP_URL && !variables.LEAD_EMAIL_TO)
			missing('LEAD_EMAIL_TO', 'SMTP_URL needs to know whom to write to', 'sales@example.com');
		if (variables.SMTP_URL && !variables.LEAD_EMAIL_FROM)
			missing('LEAD_EMAIL_FROM', 'SMTP_URL needs a sender on your own domain', 'website@example.com');
		if (variables.LEAD_EMAIL_TO && !variables.SMTP_URL && !variables.LEAD_MAILBOX)
			missing('SMTP_URL', 'LEAD_EMAIL_TO names recipients and no server to send by', 'smtp://user:password@mail.example.com:587');
		if (variables.LEAD_WEBHOOK_SECRET && !variables.LEAD_WEBHOOK_URL)
			missing('LEAD_WEBHOOK_URL', 'LEAD_WEBHOOK_SECRET has nothing to sign', 'https://crm.example.com/leads');
	})
	.transform((variables) => ({
		host: variables.HOST,
		/** 0 lets the system choose. */
		port: variables.PORT,
		/** URL of the mail server. */
		smtp: variables.SMTP_URL,
		/** Of the mail that the sales team gets, by SMTP or into the mailbox. */
		email: { to: variables.LEAD_EMAIL_TO, from: variables.LEAD_EMAIL_FROM },
		webhooks: {
			urls: variables.LEAD_WEBHOOK_URL ?? [],
			format: variables.LEAD_WEBHOOK_FORMAT,
			secrets: variables.LEAD_WEBHOOK_SECRET ?? [],
		},
		/** Folder of a Maildir. */
		mailbox: variables.LEAD_MAILBOX,
		/** Undefined: no limit. `window` is in seconds. */
		rateLimit: variables.LEAD_RATE_LIMIT,
		/** How many proxies in front of us append to `X-Forwarded-For`. */
		trustProxy: variables.TRUST_PROXY,
	}));
