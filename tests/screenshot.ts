import { chromium } from 'playwright';
import { chromiumPath } from './support/chromium.ts';
import { startServer } from './support/server.ts';

/** Takes the README's picture of the start page, from the built site. */
await using server = await startServer();
await using browser = await chromium.launch({ executablePath: await chromiumPath(), chromiumSandbox: false });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(server.url);
await page.screenshot({ path: '.github/screenshot.png', animations: 'disabled' });
