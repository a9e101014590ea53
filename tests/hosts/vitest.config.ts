import { defineConfig } from 'vitest/config';
import everything, { RUNTIMES } from '../vitest.config.ts';

/** Runs the build on the hosts' runtimes, one test file for each. */
export default defineConfig({
	...everything,
	test: {
		...everything.test,
		projects: undefined,
		include: [RUNTIMES],
		exclude: [],
		globalSetup: ['tests/hosts/support/tools.ts'],
		// Each test file runs a host, and some hosts take a core.
		maxWorkers: 2,
		// A container is built in one, which takes two minutes on an idle machine.
		hookTimeout: 1_200_000,
	},
});
