import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import * as z from 'zod';
import { connectionFaults, connectionVariables } from './connection-settings.ts';
import { dkimKey } from './dkim-key.ts';
import { mailFaults } from './mail-settings.ts';
import { duration, durationOrNone, LONGEST_KEPT, rateLimit } from './setting-amounts.ts';
import {
	address,
	host,
	leadStore,
	must,
	port,
	several,
	signingSecret,
	siteOrigin,
	smtpUrl,
	webhookUrl,
} from './setting-values.ts';
import { webhookFaults, webhookFormat, webhooksOf } from './webhook-settings.ts';
import { writableFolder } from './writable-folder.ts';

/** Settings that the server cannot start with. The message has a line for each mistake. */
export class SettingsError extends Error {
	override name = 'SettingsError';
}

export type Settings = z.output<typeof settingsSchema>;

/**
 * Reads the settings, by default from the environment and, for variables not set there, from `.env`.
 *
 * @param defaults instead of those that `.env.example` names
 * @throws {SettingsError} naming each variable at fault, what is wrong with it, and an example
 */
export const readSettings = (environment = environmentWithFile(), defaults: NodeJS.ProcessEnv = {}): Settings =>
	check(settingsSchema, environment, defaults);

/**
 * The public origin that the site is built for, without a trailing slash.
 *
 * @throws {SettingsError} as {@link readSettings}
 */
export const siteUrl = (environment = environmentWithFile()): string =>
	check(z.object({ SITE_URL: siteOrigin.default('http://localhost:4321') }), environment).SITE_URL;

function environmentWithFile(): NodeJS.ProcessEnv {
	try {
		if (existsSync('.env')) loadEnvFile('.env');
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new SettingsError(`.env cannot be read (${code}). It must be a file that the user who runs this program may read.`);
	}
	return process.env;
}

function check<Schema extends z.ZodType>(schema: Schema, environment: NodeJS.ProcessEnv, defaults: NodeJS.ProcessEnv = {}) {
	const trimmed = Object.entries(environment).map(([name, value]) => [name, value?.trim()] as const);
	const set = Object.fromEntries(trimmed.filter(([, value]) => value));
	const result = schema.safeParse({ ...defaults, ...set });
	if (result.success) return result.data;
	throw new SettingsError(result.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`).join('\n'));
}

/** `.env.example` explains each variable. */
const settingsSchema = z
	.object({
		HOST: host.default('localhost'),
		PORT: port.prefault('4321'),
		SMTP_URL: smtpUrl.optional(),
		LEAD_EMAIL_TO: several(/[\s,]+/, address('one address or several between commas', 'sales@example.com')).optional(),
		LEAD_EMAIL_FROM: address('one address on your own domain', 'website@example.com').optional(),
		LEAD_EMAIL_DKIM_DOMAIN: z.hostname(must('your domain', 'example.com')).toLowerCase().optional(),
		LEAD_EMAIL_DKIM_SELECTOR: z
			.string()
			.regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i, must('the name that the key has in the DNS', 'website'))
			.optional(),
		LEAD_EMAIL_DKIM_KEY: dkimKey.optional(),
		LEAD_EMAIL_CONFIRM: z.enum(['on', 'off'], must('on or off', 'on')).default('off'),
		LEAD_WEBHOOK_URL: several(/\s+/, webhookUrl).optional(),
		LEAD_WEBHOOK_FORMAT: several(/\s+/, webhookFormat).prefault('auto'),
		LEAD_CHAT_MESSAGE: z.enum(['on', 'off'], must('on or off', 'on')).default('on'),
		LEAD_WEBHOOK_SECRET: several(/\s+/, signingSecret).optional(),
		LEAD_MAILBOX: writableFolder.optional(),
		LEAD_STORE: leadStore.default('sqlite:var/leads.db'),
		LEAD_RETENTION: durationOrNone(LONGEST_KEPT, '30d').prefault('30d'),
		LEAD_RETRY: several(/\s+/, duration(LONGEST_KEPT, '5m')).prefault('5s 5m 30m 2h 5h 10h 14h 20h 24h'),
		LEAD_RATE_LIMIT: rateLimit.prefault('20/10m'),
		...connectionVariables,
		LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], must('debug, info, warn or error', 'info')).default('info'),
		TRUST_PROXY: z.string().regex(/^\d$/, must('how many proxies stand in front', '1')).default('0').transform(Number),
	})
	.superRefine((variables, context) => {
		for (const [variable, message] of [...mailFaults(variables), ...webhookFaults(variables), ...connectionFaults(variables)])
			context.addIssue({ code: 'custom', path: [variable], message });
	})
	.transform((variables) => ({
		host: variables.HOST,
		/** 0 lets the system choose. */
		port: variables.PORT,
		/** URL of the mail server. */
		smtp: variables.SMTP_URL,
		/** Of the mail that the sales team gets, by SMTP or into the mailbox. */
		email: { to: variables.LEAD_EMAIL_TO, from: variables.LEAD_EMAIL_FROM },
		/** What signs it, by SMTP. */
		dkim: dkimOf(variables.LEAD_EMAIL_DKIM_DOMAIN, variables.LEAD_EMAIL_DKIM_SELECTOR, variables.LEAD_EMAIL_DKIM_KEY),
		/** Whether visitors get a confirmation by mail. */
		confirm: variables.LEAD_EMAIL_CONFIRM === 'on',
		webhooks: {
			targets: webhooksOf(variables),
			secrets: variables.LEAD_WEBHOOK_SECRET ?? [],
			freeText: variables.LEAD_CHAT_MESSAGE === 'on',
		},
		/** Folder of a Maildir. */
		mailbox: variables.LEAD_MAILBOX,
		/** Where leads are kept until they are delivered, or `none`. */
		store: variables.LEAD_STORE,
		/** How long a delivered lead is kept, in seconds. */
		retention: variables.LEAD_RETENTION,
		/** How long to wait after each failed try, in seconds. */
		schedule: variables.LEAD_RETRY,
		/** Undefined: no limit. `window` is in seconds. */
		rateLimit: variables.LEAD_RATE_LIMIT,
		/** Of a connection; times in seconds. */
		limits: {
			headers: variables.HEADERS_TIMEOUT,
			request: variables.REQUEST_TIMEOUT,
			keepAlive: variables.KEEP_ALIVE_TIMEOUT,
			idle: variables.IDLE_TIMEOUT,
			connections: variables.MAX_CONNECTIONS,
		},
		logLevel: variables.LOG_LEVEL,
		/** How many proxies in front of us append to `X-Forwarded-For`. */
		trustProxy: variables.TRUST_PROXY,
	}));

const dkimOf = (domainName?: string, keySelector?: string, privateKey?: string) =>
	domainName && keySelector && privateKey ? { domainName, keySelector, privateKey } : undefined;
