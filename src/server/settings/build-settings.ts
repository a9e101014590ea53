import * as z from 'zod';
import { mustBe } from '../../values/value.ts';
import { check, environmentWithFile, namesIn, warnOfUnknown } from './environment.ts';
import { siteOrigin } from './setting-values.ts';

/**
 * Reads the settings of a build: the public origin, without a trailing slash, and if given the name of the build, and the id of a
 * Hyperdrive configuration of Cloudflare. Warns of misspelt names.
 *
 * @throws {SettingsError} as {@link check}
 */
export function buildSettings(environment = environmentWithFile()) {
	warnOfUnknown(environment, /^SITE_\w+$/, namesIn(buildSchema));
	const { SITE_URL, BUILD_ID, HYPERDRIVE_ID } = check(buildSchema, environment);
	return { siteUrl: SITE_URL, buildId: BUILD_ID, hyperdrive: HYPERDRIVE_ID };
}

/** The variables that a build reads. */
export const buildSchema = z.object({
	SITE_URL: siteOrigin.default('http://localhost:4321'),
	/** SemVer 2.0.0, section 10. */
	BUILD_ID: z
		.string()
		.regex(/^[\da-z-]+(\.[\da-z-]+)*$/i, mustBe('letters, digits and hyphens, with dots between them', '3f2a9c1'))
		.optional(),
	HYPERDRIVE_ID: z
		.string()
		.regex(/^[\da-f]{32}$/, mustBe('the id that wrangler hyperdrive create has printed', 'e5d9b0c2f3a14d6b8c7e9f0a1b2c3d4e'))
		.optional(),
});
