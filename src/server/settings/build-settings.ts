import * as z from 'zod';
import { mustBe, textLike } from '../../values/values.ts';
import { check, environmentWithFile, warnOfUnknown } from './environment.ts';

/** The variables that a build reads. In a file of their own, which imports no content: Astro reads it before content can be loaded. */
export const buildVariables = {
	/** An origin, without a slash at the end. */
	SITE_URL: z
		.string()
		.refine(
			(value) => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value,
			mustBe('an origin (scheme and host, no path, no slash at the end)', 'https://www.example.com'),
		)
		.default('http://localhost:4321'),
	/** SemVer 2.0.0, section 10. */
	BUILD_ID: textLike(/^[\da-z-]+(\.[\da-z-]+)*$/i, 'letters, digits and hyphens, with dots between them', '3f2a9c1').optional(),
	HYPERDRIVE_ID: textLike(
		/^[\da-f]{32}$/,
		'the id that wrangler hyperdrive create has printed',
		'e5d9b0c2f3a14d6b8c7e9f0a1b2c3d4e',
	).optional(),
};

/**
 * Reads the settings of a build: the public origin, without a trailing slash, and if given the name of the build, and the id of a
 * Hyperdrive configuration of Cloudflare. Warns of misspelt names.
 *
 * @throws {SettingsError} the message lists every mistake
 */
export function buildSettings(environment = environmentWithFile()) {
	warnOfUnknown(environment, /^SITE_\w+$/, Object.keys(buildVariables));
	const { SITE_URL, BUILD_ID, HYPERDRIVE_ID } = check(z.object(buildVariables), Object.keys(buildVariables), environment);
	return { siteUrl: SITE_URL, buildId: BUILD_ID, hyperdrive: HYPERDRIVE_ID };
}
