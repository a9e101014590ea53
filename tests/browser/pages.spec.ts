import type { Page, Request } from 'playwright/test';
import { pathIn } from '../../src/facts/language.ts';
import { expect, expectAccessible, phone, test } from './test.ts';
import { languages } from './words.ts';

test.use({ expectedMessages: [/Failed to load resource.*404/] });

/** A page of each layout, and one from right to left. */
const docs = ['/docs', '/docs/api', '/docs/changes', '/docs/errors', '/docs/errors/invalid-lead'];
const layouts = ['/', '/contact', '/contact/thanks', '/privacy', '/404', ...docs, '/docs/send-a-lead', '/ar'];

/** The sizes of all text in a wide window, in pixels, and its weights. Only the title of the start page is larger. */
const scale = new Set([13, 15, 17, 20, 30, 48].flatMap((size) => [`${size}/400`, `${size}/600`]));

/** Returns the size and the weight of each visible text, such as `17/400`. */
const typeOn = (page: Page) =>
	page.evaluate(() => {
		const pairs = new Set<string>();
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (texts.nextNode()) {
			const place = texts.currentNode.parentElement!;
			if (!texts.currentNode.nodeValue!.trim() || !place.checkVisibility() || place.closest('.hero h1, .visually-hidden'))
				continue;
			const { fontSize, fontWeight } = getComputedStyle(place);
			pairs.add(`${parseFloat(fontSize)}/${fontWeight}`);
		}
		return [...pairs];
	});

/** Returns what is too low to be touched (WCAG 2.2, 2.5.8), but for links in a sentence. */
const lowTargetsOn = (page: Page) =>
	page.locator('a, button, summary, input, textarea').evaluateAll((all) =>
		all
			.filter((one) => one.checkVisibility() && !one.closest('.visually-hidden') && one.getBoundingClientRect().height < 24)
			.filter((one) => !one.closest('p, li, td') || one.parentElement!.textContent.trim() === one.textContent.trim())
			.map((one) => one.outerHTML.slice(0, 120)),
	);

/** Returns what hardly shows that it has the focus: a box around it clips a part of its ring, or the ground is as dark (WCAG 2.2, 1.4.11). Axe has been here. */
const poorRingsOn = (page: Page) =>
	page.locator('a, button, summary, input, textarea, [tabindex]').evaluateAll((all) => {
		const { Color, getContrast } = Reflect.get(window, 'axe').commons.color;
		const colourOf = (text: string) => {
			const colour = new Color();
			colour.parseString(text);
			return colour;
		};
		const isPoor = (one: HTMLElement) => {
			one.focus();
			const { outlineOffset, outlineWidth, outlineColor } = getComputedStyle(one);
			const reach = parseFloat(outlineOffset) + parseFloat(outlineWidth) - 0.5;
			const ring = one.getBoundingClientRect();
			let ground: object | undefined;
			for (let box = reach < 0 ? one : one.parentElement!; box !== document.documentElement; box = box.parentElement!) {
				const { overflow, backgroundColor } = getComputedStyle(box);
				const { left, right, top, bottom } = box.getBoundingClientRect();
				const room = Math.min(ring.left - left, right - ring.right, ring.top - top, bottom - ring.bottom);
				if (overflow !== 'visible' && box !== one && room < reach) return true;
				const colour = colourOf(backgroundColor);
				if (colour.alpha === 1) ground ??= colour;
			}
			return getContrast(ground, colourOf(outlineColor)) < 3;
		};
		const seen = (all as HTMLElement[]).filter((one) => one.checkVisibility() && !one.closest('.visually-hidden'));
		return seen.filter(isPoor).map((one) => one.outerHTML.slice(0, 120));
	});

test('a page of each layout is accessible, as wide as the window, and set in one scale of type', async ({ page }) => {
	for (const path of layouts) {
		await open(page, path);
		await expectAccessible(page);
		const type = await typeOn(page);
		expect([path, ...type.filter((pair) => !scale.has(pair))]).toEqual([path]);
		expect(type.length, path).toBeLessThanOrEqual(10);
		expect(await lowTargetsOn(page), path).toEqual([]);
		// Links with one name lead to one place, but for headings below others.
		const targets = await page
			.locator('a:not(.outline *, [rel=bookmark])')
			.evaluateAll((links) => links.map((link) => [link.textContent.trim(), link.getAttribute('href')!] as const));
		for (const [name, all] of Map.groupBy(targets, ([name]) => name))
			expect(new Set(all.map(([, href]) => href)).size, `${path}: ${name}`).toBe(1);
		expect(await page.locator('body').ariaSnapshot(), path).not.toMatch(/^ *- (alert|paragraph)$/m);
		expect(await poorRingsOn(page), path).toEqual([]);
	}
	await page.setViewportSize(phone);
	for (const path of ['/', '/docs/send-a-lead']) {
		await page.goto(path);
		await expectAccessible(page);
		expect(Math.min(...(await typeOn(page)).map(parseFloat)), path).toBeGreaterThanOrEqual(13);
	}
});

test('the keyboard’s first stop skips the header, and one at the current page is seen in forced colours', async ({ page }) => {
	await page.goto('/docs');
	await page.keyboard.press('Tab');
	await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(page.getByRole('main')).toBeFocused();
	await page.emulateMedia({ forcedColors: 'active' });
	const current = page.getByRole('banner').locator('[aria-current]');
	await current.focus();
	await expect(current).toHaveCSS('outline-width', '3px');
});

test('below the documentation a page that does not exist keeps navigation and search', async ({ page }) => {
	expect((await page.goto('/docs/errors/nothing'))!.status()).toBe(404);
	await expect(page.getByRole('searchbox')).toBeVisible();
	await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Errors' }).click();
	await expect(page).toHaveURL('/docs/errors');
});

test('a page is whole on paper, without what only leads elsewhere', async ({ page }) => {
	await page.emulateMedia({ media: 'print' });
	for (const path of ['/', '/contact', '/privacy', '/docs/send-a-lead', '/docs/api']) {
		await page.goto(path);
		const folded = page.locator('main details:not(nav *) > :not(summary)');
		const ways = page.locator('nav, .action, .offer').filter({ visible: true });
		await expect(folded.filter({ visible: false }), path).toHaveCount(0);
		await expect(ways, path).toHaveCount(0);
		// Firefox begins a tall part of a grid on a new sheet.
		for (const text of await page.locator('.docs').all()) await expect(text, path).toHaveCSS('display', 'block');
	}
	for (const language of languages) {
		await open(page, pathIn(language, '/contact'));
		const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
		expect(paper.match(/\/Type\s*\/Page\b/g), language).toHaveLength(1);
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

test('in small windows the header is one line, margins are kept, and button, price and time are in sight', async ({ page }) => {
	const narrowest = { width: 320, height: 640 };
	for (const language of languages) {
		await page.setViewportSize(narrowest);
		await open(page, pathIn(language, '/'));
		const [name, button] = await Promise.all(['.brand', '.site-header .action'].map((part) => page.locator(part).boundingBox()));
		expect(Math.abs(name!.y + name!.height / 2 - button!.y - button!.height / 2), language).toBeLessThan(8);
		const gap = Math.max(button!.x - name!.x - name!.width, name!.x - button!.x - button!.width);
		expect(gap, language).toBeGreaterThanOrEqual(12);
		expect(await page.evaluate(() => document.documentElement.scrollWidth), language).toBeLessThanOrEqual(narrowest.width);
		const parts = page.locator('.hero-words > *, .call, .call *, .cards > *, .questions *');
		const rights = await parts.evaluateAll((all) => all.map((part) => part.getBoundingClientRect().right));
		expect(Math.max(...rights), language).toBeLessThanOrEqual(narrowest.width - 20 + 0.5);
		await page.setViewportSize({ width: 1366, height: 650 });
		await expect(page.locator('.hero .action'), language).toBeInViewport({ ratio: 1 });
		// Each time of day has its own picture, whichever way the line runs.
		await expect(page.locator('.hours li > svg'), language).toHaveCount(3);
		for (const width of [390, 1366]) {
			await page.setViewportSize({ width, height: width === 390 ? 844 : 768 });
			await expect(page.locator('.hero .facts'), language).toBeInViewport({ ratio: 1 });
		}
		await open(page, pathIn(language, '/contact'));
		await expect(page.locator('form > button').last(), language).toBeInViewport({ ratio: 1 });
	}
});

/** The most kilobytes of a first visit over HTTP/1.1: of page and icon, with room for other words, and of all else, headers included. */
const budgets: [path: string, written: number, rest: number][] = [
	['/ar', 6, 11.35],
	['/ar/contact', 5, 11.05],
	['/docs/api', 13, 18.5],
];
for (const [path, written, rest] of budgets)
	test(`a first visit to ${path} takes ${written} and ${rest} KB, 3 KB for scripts, beside the typeface`, async ({ page }) => {
		const [requests, finished]: Request[][] = [[], []];
		page.on('request', (request) => void requests!.push(request));
		page.on('requestfinished', (request) => void finished!.push(request));
		await page.goto(path);
		// Browsers with a window fetch it.
		await page.evaluate(() => fetch('/favicon.svg').then((icon) => icon.text()));
		await expect.poll(() => requests!.length - finished!.length).toBe(0);

		const sizes = await Promise.all(finished!.map(async (request) => ({ url: request.url(), ...(await request.sizes()) })));
		const fonts = sizes.filter(({ url }) => url.endsWith('.woff2'));
		const others = sizes.filter((size) => !fonts.includes(size));
		const bodiesOf = (pattern: RegExp) =>
			sizes.reduce((sum, { url, responseBodySize }) => sum + (pattern.test(url) ? responseBodySize : 0), 0);
		const all = others.reduce((sum, one) => sum + one.requestHeadersSize + one.responseHeadersSize + one.responseBodySize, 0);
		const words = bodiesOf(new RegExp(`(${path}|/favicon\\.svg)$`));
		const table = JSON.stringify(sizes, null, 1);
		expect(fonts.length, 'Arabic has letters of its own').toBe(path.startsWith('/ar') ? 0 : 1);
		expect(bodiesOf(/\.woff2$/), table).toBeLessThanOrEqual(25_000);
		expect(words, table).toBeLessThanOrEqual(written * 1000);
		expect(all - words, table).toBeLessThanOrEqual(rest * 1000);
		expect(bodiesOf(/\.js$/), table).toBeLessThanOrEqual(3000);
	});
