import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { contentFiles } from '../src/facts/content-plugin.ts';

const SITE = 'https://www.website.test';

/** The tests that run the build on the hosts' own runtimes, which npm installs for them. */
export const RUNTIMES = 'tests/hosts/!(folders).test.ts';

export default defineConfig({
	root: fileURLToPath(new URL('..', import.meta.url)),
	plugins: [contentFiles(SITE)],
	test: {
		include: ['tests/**/*.test.ts'],
		exclude: ['tests/browser/**', RUNTIMES],
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
