import { defineConfig } from 'playwright/test';
import { chromiumPath } from '../support/chromium.ts';
import { ports } from './servers.ts';

export default defineConfig({
	testDir: '.',
	globalSetup: './servers.ts',
	outputDir: '../../var/test/browser',
	workers: 4,
	fullyParallel: true,
	forbidOnly: true,
	reporter: 'list',
	// A browser on a busy machine may paint late. The report lists a test that passes only the second time as flaky.
	retries: 1,
	// For busy machines.
	timeout: 60_000,
	expect: { timeout: 20_000 },
	use: {
		baseURL: `http://localhost:${ports.delivering}`,
		launchOptions: { executablePath: await chromiumPath(), chromiumSandbox: false },
	},
	projects: [
		// Layout sets the width of its windows, and paper has its own: they are the same in both.
		{
			name: 'phone',
			testIgnore: ['layout.spec.ts', 'print.spec.ts'],
			use: { viewport: { width: 360, height: 740 }, hasTouch: true },
		},
		{ name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
	],
});
