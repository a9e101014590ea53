import type { Page } from 'playwright/test';
import { pathIn } from '../../src/facts/language.ts';
import { expect, test } from './test.ts';
import { languages } from './words.ts';

test.use({ expectedMessages: [/Failed to load resource.*404/] });

const phone = { width: 360, height: 740 };
const narrowest = { width: 320, height: 640 };

/** Opens a page, and sets it in the font that the Chromium of the tests brings: lines are as long on every machine. */
async function open(page: Page, path: string): Promise<void> {
	await page.goto(path);
	await page.evaluate(() => {
		for (const family of ['--sans', '--serif']) document.documentElement.style.setProperty(family, 'Open Sans');
	});
}

/** Returns the matching elements that reach too far to the right. */
const outside = (page: Page, selector: string, gutter = 0) =>
	page
		.locator(selector)
		.evaluateAll(
			(elements, limit) =>
				elements
					.filter((element) => element.getBoundingClientRect().right > innerWidth - limit + 0.5)
					.map(({ outerHTML }) => outerHTML),
			gutter,
		);

test('no column of a table of the reference lies outside the window of a phone', async ({ page }) => {
	await page.setViewportSize(phone);
	for (const path of ['/docs/api', '/docs/errors']) {
		await page.goto(path);
		const tables = ':is(.reference-problems, .reference-fields)';
		await expect(page.locator(tables).first()).toBeVisible();
		expect(await outside(page, `${tables} tbody *`), path).toEqual([]);
	}
});

test.describe('on a phone without JavaScript', () => {
	test.use({ javaScriptEnabled: false, viewport: phone });

	test('the navigation of the documentation opens on demand', async ({ page }) => {
		await page.goto('/docs/agents');
		const navigation = page.getByRole('navigation', { name: 'Documentation' });
		const other = navigation.getByRole('link', { name: 'Send a lead' });
		await expect(other).toBeHidden();
		await navigation.locator('summary').click();
		await other.click();
		await expect(page).toHaveURL('/docs/send-a-lead');
	});
});

/** English, the longest words, and from right to left. */
const sampled = ['en', 'de', 'ar'];
const translated = ['/', '/contact', '/privacy', '/nothing'];

test('with letters twice as large nothing lies outside the window of a phone', async ({ page }) => {
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
	for (const language of languages) {
		await page.setViewportSize(narrowest);
		await open(page, pathIn(language, '/'));
		const middles = await page
			.locator('.brand, .site-header .action')
			.evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()).map(({ y, height }) => y + height / 2));
		expect(Math.abs(middles[0]! - middles[1]!), language).toBeLessThan(8);
		expect(await page.evaluate(() => document.documentElement.scrollWidth), language).toBeLessThanOrEqual(narrowest.width);
		expect(await outside(page, '.hero-words > *, .call, .call *, .cards > *, .questions *', 20), language).toEqual([]);
		await page.setViewportSize({ width: 1366, height: 650 });
		await expect(page.locator('.hero .action'), language).toBeInViewport({ ratio: 1 });
	}
});
