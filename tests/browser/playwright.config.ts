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
	// For busy machines.
	timeout: 60_000,
	expect: { timeout: 20_000 },
	use: {
		baseURL: `http://localhost:${ports.delivering}`,
		launchOptions: { executablePath: await chromiumPath(), chromiumSandbox: false },
	},
	projects: [
		{ name: 'phone', use: { viewport: { width: 360, height: 740 }, hasTouch: true } },
		{ name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
	],
});
