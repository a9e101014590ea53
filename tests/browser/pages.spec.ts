import { AxeBuilder } from '@axe-core/playwright';
import { globSync } from 'node:fs';
import type { Page, Request } from 'playwright/test';
import { languagesOf } from '../../src/content-check/read/language-folders.ts';
import { pathIn } from '../../src/facts/language.ts';
import { fillIn, send } from './contact-page.ts';
import { ports } from './servers.ts';
import { expect, test } from './test.ts';
import { long, ofLanguage } from './words.ts';

/** The paths of all built pages. */
const pages = globSync('**/*.html', { cwd: 'var/test/dist/client' })
	.map((file) => `/${file}`.replace(/\.html$/, '').replace(/^\/index$/, '/'))
	.toSorted();

test.use({ expectedMessages: [/Failed to load resource.*(404|422|503)/] });

for (const colorScheme of ['light', 'dark'] as const)
	test.describe(`in ${colorScheme} colours`, () => {
		test.use({ colorScheme });

		// `npm test` looks at English pages in light colours, and at Arabic ones in dark; of pages with the same layout at one.
		const sampled = (path: string) =>
			path.startsWith('/ar') === (colorScheme === 'dark') && !/\/contact\/./.test(path) ? ofLanguage(path) : long;
		for (const path of pages)
			test(`${path} is accessible, and as wide as the window`, sampled(path), async ({ page }) => {
				await page.goto(path);
				await expectAccessible(page);
				expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
			});

		test('the form with errors is accessible', colorScheme === 'dark' ? long : {}, async ({ page }) => {
			await page.goto('/contact');
			await send(page);
			await expect(page.getByRole('alert')).toBeFocused();
			await expectAccessible(page);
		});

		test('the form that could not be sent is accessible', colorScheme === 'dark' ? long : {}, async ({ page }) => {
			await page.goto(`http://localhost:${ports.undelivering}/contact`);
			await fillIn(page);
			await send(page);
			await expect(page.getByRole('alert')).toBeFocused();
			await expectAccessible(page);
		});
	});

test('the first stop of the keyboard leads past the header', async ({ page }) => {
	await page.goto('/docs');
	await page.keyboard.press('Tab');
	await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(page.getByRole('main')).toBeFocused();
});

test('every link between our pages leads somewhere', async ({ request }) => {
	const targets = new Set<string>();
	for (const path of pages) {
		const html = await (await request.get(path)).text();
		for (const [, link] of html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)) targets.add(link!);
	}
	expect(targets.size).toBeGreaterThan(pages.length);
	for (const target of targets) expect((await request.get(target)).status(), target).toBe(200);
});

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		test('a reader goes by the header to the menu of languages, and by that to the same page in another', async ({ page }) => {
			for (const language of languages.filter((tag) => tag !== 'en')) {
				await page.goto('/contact');
				const menu = page.getByRole('navigation', { name: 'Languages' });
				await expect(menu).toBeHidden();
				await page.getByRole('button', { name: 'Languages' }).click();
				await expect(menu).toBeInViewport();
				await menu.locator(`[hreflang="${language}"]`).click();
				await expect(page).toHaveURL(pathIn(language, '/contact'));
				await expect(page.locator('.languages [aria-current]')).toHaveAttribute('href', pathIn(language, '/contact'));
			}
		});
	});

test('what a page says in data is no script: no policy is violated, and nothing of it is shown', async ({ page }) => {
	await page.addInitScript(() =>
		addEventListener('securitypolicyviolation', ({ violatedDirective }) => console.error(violatedDirective)),
	);
	for (const path of ['/', '/docs/api']) {
		await page.goto(path);
		const data = page.locator('script[type="application/ld+json"]');
		expect(JSON.parse((await data.textContent())!)).toMatchObject({ '@context': 'https://schema.org' });
	}
});

const languages = languagesOf('.');

/** In kilobytes: the most that a first visit may transfer over HTTP/1.1, headers and icon included. */
const budgets = [
	...languages.flatMap((language) => [
		{ path: pathIn(language, '/'), kilobytes: 15 },
		{ path: pathIn(language, '/contact'), kilobytes: language === 'en' ? 13.5 : 14.3 },
		{ path: pathIn(language, '/contact/api-access'), kilobytes: 14.3 },
	]),
	{ path: '/docs/api', kilobytes: 30 },
];
for (const { path, kilobytes } of budgets)
	test(`a first visit to ${path} transfers at most ${kilobytes} KB, scripts 3 KB of them`, ofLanguage(path), async ({ page }) => {
		const requests: Request[] = [];
		page.on('requestfinished', (request) => void requests.push(request));
		await page.goto(path, { waitUntil: 'networkidle' });
		// Browsers with a window fetch it.
		await page.evaluate(() => fetch('/favicon.svg').then((icon) => icon.text()));
		await expect.poll(() => requests.some((request) => request.url().endsWith('/favicon.svg'))).toBe(true);

		const sizes = await Promise.all(requests.map(async (request) => ({ url: request.url(), ...(await request.sizes()) })));
		const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
		const transferred = sizes.map((size) => size.requestHeadersSize + size.responseHeadersSize + size.responseBodySize);
		expect(sum(transferred)).toBeLessThanOrEqual(kilobytes * 1000);
		const scripts = sizes.filter(({ url }) => url.endsWith('.js'));
		expect(sum(scripts.map(({ responseBodySize }) => responseBodySize))).toBeLessThanOrEqual(3000);
	});

async function expectAccessible(page: Page): Promise<void> {
	const { violations } = await new AxeBuilder({ page }).analyze();
	expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
}
