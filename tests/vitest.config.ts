import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
	root: fileURLToPath(new URL('..', import.meta.url)),
	test: {
		include: ['tests/**/*.test.ts'],
		exclude: ['tests/browser/**'],
		// They wait for events, not for time; this is for machines that are busy.
		testTimeout: 30_000,
		hookTimeout: 60_000,
		/** What Astro gives the bundle: the origin that documents are built for. */
		env: { SITE: 'https://www.anteroom.test' },
	},
});
