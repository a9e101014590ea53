import type { Page, Request } from 'playwright/test';
import { pathIn } from '../../src/facts/language.ts';
import { expectAccessible } from './accessible.ts';
import { expect, phone, test } from './test.ts';
import { languages } from './words.ts';

test.use({ expectedMessages: [/Failed to load resource.*404/] });

/** A page of each layout, and one from right to left. */
const docs = ['/docs', '/docs/api', '/docs/changes', '/docs/errors', '/docs/errors/invalid-lead'];
const layouts = ['/', '/contact', '/contact/thanks', '/privacy', '/404', ...docs, '/docs/send-a-lead', '/ar'];

test('a page of each layout is accessible, and as wide as the window', async ({ page }) => {
	for (const path of layouts) {
		await page.goto(path);
		await expectAccessible(page);
		expect(await page.locator('body').ariaSnapshot(), path).not.toMatch(/^ *- (alert|paragraph)$/m);
	}
	await page.setViewportSize(phone);
	for (const path of ['/', '/docs/send-a-lead']) {
		await page.goto(path);
		await expectAccessible(page);
	}
});

test('the first stop of the keyboard leads past the header', async ({ page }) => {
	await page.goto('/docs');
	await page.keyboard.press('Tab');
	await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(page.getByRole('main')).toBeFocused();
});

test('a page is whole on paper, without what only leads elsewhere', async ({ page }) => {
	await page.emulateMedia({ media: 'print' });
	for (const path of ['/', '/contact', '/privacy', '/docs/send-a-lead', '/docs/api']) {
		await page.goto(path);
		const folded = page.locator('main details:not(nav *) > :not(summary)');
		const ways = page.locator('nav, .action, .offer').filter({ visible: true });
		await expect(folded.filter({ visible: false }), path).toHaveCount(0);
		await expect(ways, path).toHaveCount(0);
	}
});

/** Opens a page, and sets it in the font that the Chromium of the tests brings: lines are as long on every machine. */
async function open(page: Page, path: string): Promise<void> {
	await page.goto(path);
	await page.evaluate(() => {
		for (const family of ['--sans', '--serif']) document.documentElement.style.setProperty(family, 'Open Sans');
	});
}

/** English, the longest words, and from right to left. */
const sampled = ['en', 'de', 'ar'];
const translated = ['/', '/contact', '/privacy', '/nothing'];

test('with letters twice as large nothing is outside the window of a phone', async ({ page }) => {
	await page.setViewportSize(phone);
	const browser = await page.context().newCDPSession(page);
	await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
	const pages = sampled.flatMap((language) => translated.map((path) => pathIn(language, path)));
	for (const path of [...pages, '/docs', '/docs/api', '/docs/api/explorer']) {
		await open(page, path);
		expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(phone.width);
	}
});

test('on the narrowest phone the header is one line, the start page within its margins, and its button in a small window', async ({
	page,
}) => {
	const narrowest = { width: 320, height: 640 };
	for (const language of languages) {
		await page.setViewportSize(narrowest);
		await open(page, pathIn(language, '/'));
		const middles = await page
			.locator('.brand, .site-header .action')
			.evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()).map(({ y, height }) => y + height / 2));
		expect(Math.abs(middles[0]! - middles[1]!), language).toBeLessThan(8);
		expect(await page.evaluate(() => document.documentElement.scrollWidth), language).toBeLessThanOrEqual(narrowest.width);
		const parts = page.locator('.hero-words > *, .call, .call *, .cards > *, .questions *');
		const rights = await parts.evaluateAll((all) => all.map((part) => part.getBoundingClientRect().right));
		expect(Math.max(...rights), language).toBeLessThanOrEqual(narrowest.width - 20 + 0.5);
		await page.setViewportSize({ width: 1366, height: 650 });
		await expect(page.locator('.hero .action'), language).toBeInViewport({ ratio: 1 });
	}
});

/** The most kilobytes that a first visit may transfer over HTTP/1.1, headers and icon included. Arabic takes the most bytes. */
const budgets = { '/ar': 15.25, '/ar/contact': 14.3, '/docs/api': 30 };
for (const [path, kilobytes] of Object.entries(budgets))
	test(`a first visit to ${path} transfers at most ${kilobytes} KB without the typeface, scripts 3 KB of them`, async ({
		page,
	}) => {
		const [requests, finished]: Request[][] = [[], []];
		page.on('request', (request) => void requests!.push(request));
		page.on('requestfinished', (request) => void finished!.push(request));
		await page.goto(path);
		// Browsers with a window fetch it.
		await page.evaluate(() => fetch('/favicon.svg').then((icon) => icon.text()));
		await expect.poll(() => requests!.length - finished!.length).toBe(0);

		const fonts = finished!.filter((request) => request.resourceType() === 'font');
		expect(fonts.length, 'Arabic has letters of its own').toBe(path.startsWith('/ar') ? 0 : 1);
		expect((await fonts[0]?.sizes())?.responseBodySize ?? 0).toBeLessThanOrEqual(25_000);
		const others = finished!.filter((request) => !fonts.includes(request));
		const sizes = await Promise.all(others.map(async (request) => ({ url: request.url(), ...(await request.sizes()) })));
		const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
		const bytes = sizes.map((size) => size.requestHeadersSize + size.responseHeadersSize + size.responseBodySize);
		const scripts = sizes.filter(({ url }) => url.endsWith('.js')).map(({ responseBodySize }) => responseBodySize);
		const table = JSON.stringify(sizes, null, 1);
		expect(sum(bytes), table).toBeLessThanOrEqual(kilobytes * 1000);
		expect(sum(scripts), table).toBeLessThanOrEqual(3000);
	});
