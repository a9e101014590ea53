import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { contentFiles } from '../src/facts/content-plugin.ts';
import { SMALL_SITE } from './support/small-site.ts';

const SITE = 'https://www.website.test';

/** The tests that run the build on the hosts' own runtimes, which npm installs for them. */
export const RUNTIMES = 'tests/hosts/!(folders).test.ts';

/** The tests whose code has the facts, words and texts of the small site. */
const ofSmallSite = 'tests/{adapter,discovery,facts,site}/*.test.ts';
const ofLong = 'tests/**/*.{long,release}.test.ts';

const smallSite: Plugin = {
	name: 'small-site',
	enforce: 'pre',
	transform: {
		filter: { id: /\/src\/.*\.ts$/, code: '../../content/' },
		handler: (code) => code.replaceAll('../../content/', `/${SMALL_SITE}/content/`),
	},
};

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
	root,
	plugins: [contentFiles(SITE)],
	test: {
		projects: [
			{ extends: true, test: { name: 'short', include: ['tests/**/*.test.ts'], exclude: [RUNTIMES, ofLong, ofSmallSite] } },
			{
				extends: true,
				plugins: [smallSite, contentFiles(SITE, path.join(root, SMALL_SITE))],
				test: { name: 'small-site', include: [ofSmallSite] },
			},
			{ extends: true, test: { name: 'long', include: [ofLong] } },
		],
		setupFiles: ['tests/support/no-names.mjs'],
		// It would keep words with the facts of before: of the files that a module is made from it knows one.
		fsModuleCache: false,
		// They wait for other processes more than they work, whatever number of cores there is.
		maxWorkers: 8,
		// They wait for events, not for time; this is for machines that are busy.
		testTimeout: 300_000,
		hookTimeout: 300_000,
		expect: { poll: { timeout: 120_000 } },
		/** The values that the build puts into the bundle: the origin of the documents, the version, and the day. */
		env: { SITE, VERSION: '1.0.0+test', BUILT_ON: '2026-11-01' },
	},
});
