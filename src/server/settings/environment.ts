import { existsSync, readFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import * as z from 'zod';
import { nearest } from '../../facts/mistake.ts';
import { mustBe, textLike } from '../../lead/values.ts';

/** Invalid settings. The message has a line for each wrong value, or is about one variable or file that cannot be read. */
export class SettingsError extends Error {
	override name = 'SettingsError';
}

/** The variables that a build reads. They are here, where nothing imports content: Astro reads them before content can be loaded. */
export const buildSchema = z.object({
	/** An origin, without a slash at the end. */
	SITE_URL: z
		.string()
		.refine(
			(value) => /^https?:/.test(value) && URL.parse(value)?.origin === value,
			mustBe('an origin (scheme and host, no path, no slash at the end)', 'https://www.example.com'),
		)
		.default('http://localhost:4321')
		.describe('The public origin. Read by the build.'),
	/** SemVer 2.0.0, section 10. */
	BUILD_ID: textLike(/^[\da-z-]+(\.[\da-z-]+)*$/i, 'letters, digits and hyphens, with dots between them', '3f2a9c1')
		.optional()
		.describe('The name of the build, in status and log. By default a hash of the sources. Read by the build.'),
	HYPERDRIVE_ID: textLike(/^[\da-f]{32}$/, 'the id that wrangler has printed', 'e5d9b0c2f3a14d6b8c7e9f0a1b2c3d4e')
		.optional()
		.describe('The way to the database on Cloudflare. Read by the build.'),
});

/** Reads the settings of a build. Warns of misspelt names. @throws {SettingsError} */
export function buildSettings(environment = environmentWithFile()) {
	warnOfUnknown(environment, /^SITE_\w+$/, Object.keys(buildSchema.shape));
	return readVariables(buildSchema, environment);
}

/** Returns the variables of the environment and, for those not set there, of `.env`. An empty one there hides that of `.env`. */
export function environmentWithFile(): NodeJS.ProcessEnv {
	if (existsSync('.env')) {
		// Throws if the encoding is wrong.
		contentOf('.env', '.env');
		loadEnvFile('.env');
	}
	return process.env;
}

/** The suffix of a variable that has the path of a file with the value, as in Docker's official images. */
const FILE = '_FILE';

/**
 * Reads the variables of a schema. An empty one is not set. From a file comes its content without the last line end.
 * @param defaults replace those of the schema
 * @throws {SettingsError}
 */
export function readVariables<Schema extends z.ZodObject>(
	schema: Schema,
	environment: NodeJS.ProcessEnv,
	defaults: NodeJS.ProcessEnv = {},
): z.output<Schema> {
	const values = { ...defaults };
	for (const name of Object.keys(schema.shape)) {
		const [value, path] = [environment[name]?.trim(), environment[name + FILE]?.trim()];
		const content = path && contentOf(path, `The file of ${name}${FILE}`).replace(/\r?\n$/, '');
		if (value && content) throw new SettingsError(`${name} and ${name}${FILE} are both set. Set one of them.`);
		if (value || content) values[name] = value || content;
	}
	// `jitless`, because the check runs only once: compiling it would take longer.
	const result = schema.safeParse(values, { jitless: true });
	if (result.success) return result.data;
	const faults = result.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`);
	throw new SettingsError(faults.join('\n'), { cause: result.error });
}

/** Matches a byte order mark, the zeros of UTF-16, and the sign that replaces bytes that are not UTF-8. */
const UNREADABLE = /^\uFEFF|[\0\uFFFD]/;

/**
 * Returns the text of a file.
 * @param name stands for the file in errors: a path may be a secret that was put into the wrong variable
 * @throws {SettingsError} if it cannot be read, or has another encoding than UTF-8
 */
function contentOf(path: string, name: string): string {
	let text;
	try {
		text = readFileSync(path, 'utf8');
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new SettingsError(`${name} cannot be read (${code}). It must be a file that the user who runs this program may read.`);
	}
	if (!UNREADABLE.test(text)) return text;
	throw new SettingsError(`${name} has an encoding that cannot be used. Save it in UTF-8 without a byte order mark (BOM).`);
}

/** Variables that need no warning: those that had one, and Netlify's, which begin like ours. */
const warned = new Set(['SITE_ID', 'SITE_NAME']);

const letters = (name: string) => name.replaceAll('_', '');

/**
 * Warns of variables that begin like one of ours, or have its letters, but are none: probably they are misspelt. Warns of each only once.
 * @param prefix of names that only settings have
 * @param known the names of all settings
 */
export function warnOfUnknown(environment: NodeJS.ProcessEnv, prefix: RegExp, known: string[]): void {
	const names = known.flatMap((name) => [name, name + FILE]);
	const ours = new Set(names.map(letters));
	for (const name of Object.keys(environment)) {
		if (!(prefix.test(name) || ours.has(letters(name))) || names.includes(name) || warned.has(name)) continue;
		warned.add(name);
		const meant = nearest(name, names);
		const advice = meant ? `Did you mean ${meant}?` : 'All settings are in .env.example.';
		console.warn(`${name} is not a setting and has no effect. ${advice}`);
	}
}
