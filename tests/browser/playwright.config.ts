import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'playwright/test';
import { chromiumPath } from '../support/chromium.ts';
import { ports } from './servers.ts';

// Workers read this file too, and must find the same folder.
process.env['TEST_MAILBOX'] ??= mkdtempSync(path.join(tmpdir(), 'mailbox-'));

const server = (port: number, env: Record<string, string>) => ({
	command: `node "${path.resolve(import.meta.dirname, '../../var/test/dist/server/entry.mjs')}" >"${process.env['TEST_MAILBOX']}/${port}.log"`,
	// Away from the project's .env, which may say where real leads go.
	cwd: tmpdir(),
	url: `http://localhost:${port}/api/status`,
	env: {
		PORT: String(port),
		LEAD_STORE: `sqlite:${process.env['TEST_MAILBOX']}/leads-${port}.db`,
		LEAD_RATE_LIMIT: 'off',
		...env,
	},
});

export default defineConfig({
	testDir: '.',
	globalTeardown: './log-search.ts',
	outputDir: '../../var/test/browser',
	workers: 2,
	fullyParallel: true,
	forbidOnly: true,
	reporter: 'list',
	timeout: 20_000,
	use: {
		baseURL: `http://localhost:${ports.delivering}`,
		launchOptions: { executablePath: await chromiumPath(), chromiumSandbox: false },
	},
	projects: [
		{ name: 'phone', use: { viewport: { width: 360, height: 740 }, hasTouch: true } },
		{ name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
	],
	webServer: [
		server(ports.delivering, { LEAD_MAILBOX: process.env['TEST_MAILBOX'] }),
		server(ports.undelivering, {}),
		server(ports.limiting, { LEAD_RATE_LIMIT: '1/1d', LEAD_MAILBOX: process.env['TEST_MAILBOX'] }),
	],
});
