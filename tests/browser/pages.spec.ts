import type { Request } from 'playwright/test';
import { paths } from '../../src/facts/links.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './test.ts';
import { onPhone } from './words.ts';

test.use({ expectedMessages: [/Failed to load resource.*404/] });

/** A page of each layout, and one from right to left. */
const docs = ['/docs', '/docs/api', '/docs/api/explorer', '/docs/changes', '/docs/errors', '/docs/errors/invalid-lead'];
const layouts = ['/', '/contact', '/contact/thanks', '/privacy', '/404', ...docs, '/docs/send-a-lead', '/ar'];

test('a page of each layout is accessible, and as wide as the window', onPhone, async ({ page }, { project }) => {
	for (const path of project.name === 'phone' ? ['/', '/docs/send-a-lead'] : layouts) {
		await page.goto(path);
		await expectAccessible(page);
		expect(await page.locator('body').ariaSnapshot(), path).not.toMatch(/^ *- (alert|paragraph)$/m);
		expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBeLessThanOrEqual(0);
	}
});

test('the first stop of the keyboard leads past the header', async ({ page }) => {
	await page.goto('/docs');
	await page.keyboard.press('Tab');
	await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(page.getByRole('main')).toBeFocused();
});

test('links for developers are in a strip and the footer, and on a phone not in the header', onPhone, async ({ page }) => {
	await page.goto('/');
	for (const path of ['/docs', '/docs/api', paths.skill]) {
		const link = `a[href="${path}"]`;
		for (const part of ['.strip', '.site-footer']) await expect(page.locator(part).locator(link)).toBeVisible();
		const inHeader = page.locator('.site-header').locator(link).filter({ visible: true });
		await expect(inHeader).toHaveCount(path === '/docs' && page.viewportSize()!.width > 1000 ? 1 : 0);
	}
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

/** In kilobytes: the most that a first visit may transfer over HTTP/1.1, headers and icon included. Arabic takes the most bytes. */
const budgets = { '/ar': 15, '/ar/contact': 14.3, '/docs/api': 30 };
for (const [path, kilobytes] of Object.entries(budgets))
	test(`a first visit to ${path} transfers at most ${kilobytes} KB, scripts 3 KB of them`, async ({ page }) => {
		const [requests, finished]: Request[][] = [[], []];
		page.on('request', (request) => void requests!.push(request));
		page.on('requestfinished', (request) => void finished!.push(request));
		await page.goto(path);
		// Browsers with a window fetch it.
		await page.evaluate(() => fetch('/favicon.svg').then((icon) => icon.text()));
		await expect.poll(() => requests!.length - finished!.length).toBe(0);

		const sizes = await Promise.all(finished!.map(async (request) => ({ url: request.url(), ...(await request.sizes()) })));
		const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
		const bytes = sizes.map((size) => size.requestHeadersSize + size.responseHeadersSize + size.responseBodySize);
		const scripts = sizes.filter(({ url }) => url.endsWith('.js')).map(({ responseBodySize }) => responseBodySize);
		const table = JSON.stringify(sizes, null, 1);
		expect(sum(bytes), table).toBeLessThanOrEqual(kilobytes * 1000);
		expect(sum(scripts), table).toBeLessThanOrEqual(3000);
	});
