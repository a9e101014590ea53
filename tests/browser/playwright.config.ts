import { defineConfig } from 'playwright/test';
import { chromiumPath } from '../support/chromium.ts';
import { ports } from './servers.ts';
import { unpublished } from './words.ts';

export default defineConfig({
	testDir: '.',
	globalSetup: './servers.ts',
	outputDir: '../../var/test/browser',
	workers: 2,
	fullyParallel: true,
	forbidOnly: true,
	reporter: 'list',
	// For busy machines.
	timeout: 300_000,
	expect: { timeout: 60_000 },
	use: {
		baseURL: `http://localhost:${ports.delivering}`,
		launchOptions: { executablePath: await chromiumPath(), chromiumSandbox: false },
	},
	grepInvert: unpublished,
	projects: [
		{ name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
		// Once more, what the width of the window decides.
		{ name: 'phone', grep: /@phone/, use: { viewport: { width: 360, height: 740 }, hasTouch: true } },
	],
});
