import { defineConfig } from 'vitest/config';
import everything from '../vitest.config.ts';

/** The build on the runtimes of hosts, a file for each of them. */
export default defineConfig({
	...everything,
	test: {
		...everything.test,
		include: ['tests/hosts/*.test.ts'],
		exclude: [],
		globalSetup: ['tests/hosts/support/tools.ts'],
		// Each runs a host, and some of those take a core.
		maxWorkers: 2,
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
