import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import * as z from 'zod';
import { leadSettings } from './lead-settings.ts';
import { mailSettings } from './mail-settings.ts';
import { serverSettings } from './server-settings.ts';
import { must } from '../../values/value.ts';
import { siteOrigin } from './setting-values.ts';
import { webhookSettings } from './webhook-settings.ts';

/** Settings that the server cannot start with. The message has a line for each mistake. */
export class SettingsError extends Error {
	override name = 'SettingsError';
}

/** Each group is a file, with its variables and checks. `.env.example` explains each variable. */
const settingsSchema = serverSettings.and(mailSettings).and(webhookSettings).and(leadSettings);

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
 * What a build reads: the public origin, without a trailing slash; where given, the name of the build, and the id of a Hyperdrive
 * configuration of Cloudflare.
 *
 * @throws {SettingsError} as {@link readSettings}
 */
export function buildSettings(environment = environmentWithFile()) {
	const { SITE_URL, BUILD_ID, HYPERDRIVE_ID } = check(buildSchema, environment);
	return { siteUrl: SITE_URL, buildId: BUILD_ID, hyperdrive: HYPERDRIVE_ID };
}

const buildSchema = z.object({
	SITE_URL: siteOrigin.default('http://localhost:4321'),
	/** SemVer 2.0.0, section 10. */
	BUILD_ID: z
		.string()
		.regex(/^[\da-z-]+(\.[\da-z-]+)*$/i, must('letters, digits and hyphens, with dots between them', '3f2a9c1'))
		.optional(),
	HYPERDRIVE_ID: z
		.string()
		.regex(/^[\da-f]{32}$/, must('the id that wrangler hyperdrive create has printed', 'e5d9b0c2f3a14d6b8c7e9f0a1b2c3d4e'))
		.optional(),
});

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
	// A variable that two groups look at is at fault in both.
	const faults = new Set(result.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`));
	throw new SettingsError([...faults].join('\n'));
}
