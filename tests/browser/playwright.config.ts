import { defineConfig } from 'playwright/test';
import { chromiumPath } from '../support/chromium.ts';
import { unpublished } from './words.ts';

export default defineConfig({
	testDir: '.',
	globalSetup: './start.ts',
	outputDir: '../../var/test/browser',
	workers: 2,
	fullyParallel: true,
	forbidOnly: true,
	reporter: 'list',
	// For busy machines.
	timeout: 300_000,
	expect: { timeout: 60_000 },
	use: {
		viewport: { width: 1440, height: 900 },
		// Parts that move would have other colours for a moment.
		contextOptions: { reducedMotion: 'reduce' },
		permissions: ['clipboard-read', 'clipboard-write'],
		baseURL: process.env['TEST_URL']!,
		launchOptions: { executablePath: await chromiumPath(), chromiumSandbox: false },
	},
	grepInvert: unpublished,
});
