import { existsSync, readFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import type * as z from 'zod';
import { nearest } from '../../facts/mistake.ts';

/** Invalid settings. The message has a line for each mistake. */
export class SettingsError extends Error {
	override name = 'SettingsError';
}

/** Matches a byte order mark of UTF-8, and the zeros of UTF-16: from such a file Node.js would read other names, or none. */
const UNREADABLE = /^\xEF\xBB\xBF|\0/;

/** Returns the variables of the environment and, for those not set there, of `.env`. */
export function environmentWithFile(): NodeJS.ProcessEnv {
	if (existsSync('.env')) loadFile();
	return process.env;
}

function loadFile(): void {
	let isReadable;
	try {
		isReadable = !UNREADABLE.test(readFileSync('.env', 'latin1'));
		if (isReadable) loadEnvFile('.env');
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new SettingsError(`.env cannot be read (${code}). It must be a file that the user who runs this program may read.`);
	}
	if (!isReadable)
		throw new SettingsError('.env has an encoding that hides its settings. Save it in UTF-8 without a byte order mark (BOM).');
}

/** Variables of a host that begin like ours: Netlify's name and id of a site. */
const ofHosts = ['SITE_ID', 'SITE_NAME'];
const warned = new Set<string>(ofHosts);

/**
 * Warns of variables that begin like one of ours but are none: probably they are misspelt. A process warns of each only once.
 *
 * @param prefix of names that only settings have
 * @param known the names of all settings
 */
export function warnOfUnknown(environment: NodeJS.ProcessEnv, prefix: RegExp, known: string[]): void {
	for (const name of Object.keys(environment)) {
		if (!prefix.test(name) || known.includes(name) || warned.has(name)) continue;
		warned.add(name);
		const meant = nearest(name, known);
		const advice = meant ? `Did you mean ${meant}?` : 'All settings are in .env.example.';
		console.warn(`${name} is not a setting and has no effect. ${advice}`);
	}
}

/**
 * Reads the variables by a schema.
 *
 * @param defaults replace those in `.env.example`
 * @throws {SettingsError} naming each variable at fault, its fault, and an example
 */
export function check<Schema extends z.ZodType>(
	schema: Schema,
	environment: NodeJS.ProcessEnv,
	defaults: NodeJS.ProcessEnv = {},
) {
	const trimmed = Object.entries(environment).map(([name, value]) => [name, value?.trim()] as const);
	const set = Object.fromEntries(trimmed.filter(([, value]) => value));
	// `jitless`, because the check runs only once: compiling it would take longer.
	const result = schema.safeParse({ ...defaults, ...set }, { jitless: true });
	if (result.success) return result.data;
	// Two groups that check the same variable both report its fault.
	const faults = new Set(result.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`));
	throw new SettingsError([...faults].join('\n'));
}
