import type { Page } from 'playwright/test';
import { languagesOf } from '../../src/content-check/read/language-folders.ts';
import { pathIn } from '../../src/facts/language.ts';
import { boxOf } from './box.ts';
import { expect, test } from './test.ts';
import { ofLanguage } from './words.ts';

test.use({ expectedMessages: [/Failed to load resource.*404/] });

const phone = { width: 360, height: 740 };
const desktop = { width: 1440, height: 900 };

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

/** Returns the words that stand on more than one line. */
const brokenWords = (page: Page, selector: string) =>
	page.locator(selector).evaluate((element) => {
		const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
		const broken: string[] = [];
		while (texts.nextNode())
			for (const { 0: word, index } of texts.currentNode.nodeValue!.matchAll(/[\p{L}\p{M}]+/gu)) {
				const range = document.createRange();
				range.setStart(texts.currentNode, index);
				range.setEnd(texts.currentNode, index + word.length);
				if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
			}
		return broken;
	});

test.describe('on a phone', () => {
	test.use({ viewport: phone });

	for (const path of ['/docs/api', '/docs/errors'])
		test(`no column of the tables of ${path} lies outside the window`, async ({ page }) => {
			await page.goto(path);
			const tables = page.locator(':is(.reference-problems, .reference-fields)');
			await expect(tables.first()).toBeVisible();
			expect(await outside(page, ':is(.reference-problems, .reference-fields) tbody *')).toEqual([]);
		});

	test('the first text of a page of the documentation is on the first screen', async ({ page }) => {
		for (const path of ['/docs', '/docs/send-a-lead', '/docs/agents', '/docs/api']) {
			await page.goto(path);
			await expect(page.locator('.docs-text').locator('p, li').first(), path).toBeInViewport();
		}
	});

	for (const javaScriptEnabled of [true, false])
		test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
			test.use({ javaScriptEnabled });

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
});

test.describe('on a desktop', () => {
	test.use({ viewport: desktop });

	test('navigation and outline of the documentation are open', async ({ page }) => {
		await page.goto('/docs/agents');
		await expect(page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Overview' })).toBeVisible();
		await expect(
			page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'The documents' }),
		).toBeVisible();
	});

	test('no table or sample of the API reference is wider than its column', async ({ page }) => {
		await page.goto('/docs/api');
		const cut = await page
			.locator('.scroll, pre')
			.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.getAttribute('aria-label')));
		expect(cut).toEqual([]);
	});

	test('headings are nearer to what they head than to what is above', async ({ page }) => {
		await page.goto('/docs/api');
		const far = await page.locator('.docs-text :not(h2, h3) + :is(h2, h3, h4)').evaluateAll((headings) =>
			headings.flatMap((heading) => {
				const [above, below] = [heading.previousElementSibling, heading.nextElementSibling].map((one) =>
					one?.getBoundingClientRect(),
				);
				const { top, bottom } = heading.getBoundingClientRect();
				return above && below && top - above.bottom < 1.5 * (below.top - bottom) ? [heading.textContent] : [];
			}),
		);
		expect(far).toEqual([]);
	});
});

test.describe('the start page', () => {
	for (const width of [320, 360, 768, 1440])
		test(`leaves no card of three alone in its row, ${width} px wide`, async ({ page }) => {
			await page.setViewportSize({ width, height: 900 });
			await page.goto('/');
			const rows = await page
				.locator('.cards > *')
				.evaluateAll((lists) =>
					lists
						.filter(({ childElementCount }) => childElementCount === 3)
						.map(({ children }) => new Set([...children].map((card) => card.getBoundingClientRect().top)).size),
				);
			expect(rows.map((count) => count === 1 || count === 3)).toEqual(rows.map(() => true));
		});

	test('stays within its margins on the narrowest phone', async ({ page }) => {
		await page.setViewportSize({ width: 320, height: 640 });
		await page.goto('/');
		expect(await outside(page, '.hero-words > *, .call, .call *, .cards > *, .questions *', 20)).toEqual([]);
	});
});

const translated = languagesOf('.').flatMap((language) =>
	['/', '/contact', '/privacy', '/nothing'].map((path) => pathIn(language, path)),
);

for (const path of [...translated, '/docs', '/docs/api', '/docs/api/explorer'])
	test(
		`with letters twice as large nothing of ${path} lies outside the window of a phone`,
		ofLanguage(path),
		async ({ page }) => {
			await page.setViewportSize(phone);
			const browser = await page.context().newCDPSession(page);
			await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
			await page.goto(path);
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
		},
	);

for (const path of translated)
	test(`on the narrowest phone no word of the heading of ${path} is broken`, ofLanguage(path), async ({ page }) => {
		await page.setViewportSize({ width: 320, height: 640 });
		await page.goto(path);
		expect(await brokenWords(page, 'h1')).toEqual([]);
	});

for (const language of languagesOf('.'))
	test(
		`the header is one line on the narrowest phone in ${language}, and stays within the window`,
		ofLanguage(language),
		async ({ page }) => {
			await page.setViewportSize({ width: 320, height: 640 });
			await page.goto(pathIn(language, '/'));
			const [brand, action] = await Promise.all([boxOf(page.locator('.brand')), boxOf(page.locator('.site-header .action'))]);
			expect(Math.abs(brand.y + brand.height / 2 - (action.y + action.height / 2))).toBeLessThan(8);
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
		},
	);

for (const language of languagesOf('.'))
	test(`on a phone each price stands on one line with what it is for in ${language}`, ofLanguage(language), async ({ page }) => {
		await page.setViewportSize(phone);
		await page.goto(pathIn(language, '/'));
		const wrapped = await page.locator('.cards p:has(> strong)').evaluateAll((lines) =>
			lines.filter((line) => {
				const range = document.createRange();
				range.selectNodeContents(line);
				return [...range.getClientRects()].at(-1)!.bottom > line.querySelector('strong')!.getBoundingClientRect().bottom;
			}),
		);
		expect(wrapped).toHaveLength(0);
	});

test('the privacy notice has an outline, and a date in words', async ({ page }) => {
	await page.goto('/privacy');
	const outline = page.getByRole('navigation', { name: 'On this page' });
	await expect(outline.getByRole('link', { includeHidden: true })).toHaveCount(await page.locator('.prose h2').count());
	await expect(page.locator('main')).not.toContainText(/\d{4}-\d\d-\d\d/);
});
