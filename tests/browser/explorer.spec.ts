import { AxeBuilder } from '@axe-core/playwright';
import type { Page, Response } from 'playwright/test';
import { paths } from '../../src/facts/links.ts';
import { expect, test } from './test.ts';
import { long } from './words.ts';

test.use({ expectedMessages: [/^@scalar\/api-reference@/] });

test('the button says how many megabytes the interactive reference loads', async ({ page }) => {
	await page.goto(paths.apiExplorer);
	const loaded = responsesOf(page);
	const button = page.getByRole('button', { name: /^Load / });
	const said = /[\d.]+ MB/.exec(await button.innerText())![0];
	await button.click();
	await expectLoaded(page);
	expect(said).toBe(`${(await megabytesOf(loaded)).toFixed(1)} MB`);
});

test('the page takes less than 20 KB until its reader asks for more', async ({ page }) => {
	const loaded = responsesOf(page);
	await page.goto(paths.apiExplorer);
	await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve))));
	await page.waitForLoadState('networkidle');
	expect(await megabytesOf(loaded)).toBeLessThan(0.02);
	await expect(page.getByRole('button', { name: /^Load / })).toBeVisible();
});

test('when it cannot be loaded it says so, and can be asked again', async ({ page }) => {
	await page.goto(paths.apiExplorer);
	await page.route('**/openapi.json', (route) => route.fulfill({ status: 200, body: 'nothing' }), { times: 1 });
	await page.getByRole('button', { name: /^Load / }).click();
	await expect(page.locator('.explorer-start')).toContainText('could not be loaded');
	await page.getByRole('button', { name: /^Load / }).click();
	await expectLoaded(page);
});

test('nothing that is read moves when it comes', long, async ({ page }) => {
	await page.addInitScript(() => {
		const shifts: number[] = Object.assign(globalThis, { shifts: [] }).shifts;
		new PerformanceObserver((list) => {
			for (const shift of list.getEntries()) shifts.push((shift as PerformanceEntry & { value: number }).value);
		}).observe({ type: 'layout-shift', buffered: true });
	});
	await openExplorer(page);
	const shifted = await page.evaluate(() => {
		const { shifts } = globalThis as unknown as { shifts: number[] };
		return shifts.reduce((sum, shift) => sum + shift, 0);
	});
	expect(shifted).toBeLessThan(0.1);
});

test('the fields of a lead stand in the order of the description', long, async ({ page, request }) => {
	const { components } = (await (await request.get(paths.openapi)).json()) as {
		components: { schemas: { Lead: { properties: object } } };
	};
	await openExplorer(page, `#tag/leads/POST${paths.submitLead}`);
	const fields = page.locator('button', { hasText: 'Copy link to' });
	await expect(fields).not.toHaveCount(0);
	const names = (await fields.allTextContents()).map((name) => name.replace('Copy link to ', ''));
	const order = Object.keys(components.schemas.Lead.properties);
	expect(names.filter((name) => order.includes(name))).toEqual(order);
});

test('it says that no key is needed', long, async ({ page }) => {
	await openExplorer(page);
	await expect(page.getByText('No key needed', { exact: true }).first()).toBeVisible();
	await expect(page.getByText(/Auth\w* optional/i)).toHaveCount(0);
});

test('a lead is tried out with the test key, so that nothing reaches the sales team', async ({ page }) => {
	await openExplorer(page);
	const answer = await tryOut(page, /^Test Request.*contact/i, paths.submitLead);
	expect(answer.status()).toBe(200);
	expect(answer.headers()['test-key']).toBe('?1');
});

test('the status is tried out from a link to it', long, async ({ page }) => {
	await page.goto(`${paths.apiExplorer}#tag/status/GET${paths.getStatus}`);
	const answer = await tryOut(page, /^Test Request.*status/i, paths.getStatus);
	expect(await answer.json()).toMatchObject({ ok: true });
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('the page says what it is, and leads to what can be read', async ({ page }) => {
		await page.goto(paths.apiExplorer);
		await expect(page.getByRole('main')).toContainText('needs JavaScript');
		for (const path of [paths.apiReference, paths.openapi])
			await expect(page.getByRole('main').locator(`a[href="${path}"]`)).toBeVisible();
		await expect(page.getByRole('button')).toHaveCount(0);
	});
});

for (const colorScheme of ['light', 'dark'] as const)
	test.describe(`in ${colorScheme} colours`, colorScheme === 'dark' ? long : {}, () => {
		test.use({ colorScheme });

		test('it has the colours of the pages, and axe finds nothing in it', long, async ({ page }) => {
			await page.goto(paths.docs);
			const colours = await coloursOf(page);
			await openExplorer(page);
			await expect(page.getByRole('heading', { name: / API$/ })).toHaveCSS('color', colours.color);
			expect(await coloursOf(page)).toEqual(colours);
			// Scalar's own header for phones is outside of all regions, which no setting changes.
			const { violations } = await new AxeBuilder({ page }).disableRules('region').analyze();
			expect(violations.map(({ id }) => id)).toEqual([]);
		});
	});

/** Loads the view; a fragment does so by itself. */
async function openExplorer(page: Page, fragment = ''): Promise<void> {
	await page.goto(paths.apiExplorer + fragment);
	if (fragment === '') await page.getByRole('button', { name: /^Load / }).click();
	await expectLoaded(page);
}

async function expectLoaded(page: Page): Promise<void> {
	await expect(page.getByRole('heading', { name: / API$/ })).toBeVisible();
	await expect(page.locator('.explorer-ready')).toBeVisible();
}

/** Collects responses from now on. */
function responsesOf(page: Page): Response[] {
	const responses: Response[] = [];
	page.on('response', (response) => responses.push(response));
	return responses;
}

/** Sums the bodies as sent over the wire. */
async function megabytesOf(responses: Response[]): Promise<number> {
	const sizes = await Promise.all(responses.map((response) => response.request().sizes()));
	return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0) / 1e6;
}

async function tryOut(page: Page, button: RegExp, path: string): Promise<Response> {
	const sent = page.waitForResponse((response) => response.url().endsWith(path));
	await page.getByRole('button', { name: button }).first().click();
	await page.getByRole('button', { name: /^Send/ }).first().click();
	return sent;
}

const coloursOf = (page: Page) =>
	page.evaluate(() => {
		const { color, backgroundColor } = getComputedStyle(document.body);
		return { color, backgroundColor };
	});
