import type { Page, Request } from 'playwright/test';
import type { OpenApi } from '../../src/discovery/openapi.ts';
import { paths } from '../../src/facts/links.ts';
import { serve } from '../support/listening.ts';
import { leadOf } from '../support/post-lead.ts';
import { answerFirst, expect, expectAccessible, phone, test, testWithoutScripts } from './test.ts';

test.use({ expectedMessages: [/^@scalar\/api-reference@|status of 503|^Request for http:\/\/127/] });

test('the explorer loads in sight, says what that costs and where it failed, and looks as pages do', async ({ page }) => {
	const loaded: Request[] = [];
	page.on('requestfinished', (request) => loaded.push(request));
	const coloursOf = () =>
		page.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]);
	const status = page.locator('.explorer-status');

	const { promise: isRead, resolve: goOn } = Promise.withResolvers<void>();
	await answerFirst(page, '**/openapi.json', (route) => isRead.then(() => route.fulfill({ status: 503, json: {} })));
	await page.setViewportSize({ width: 1440, height: 500 });
	await page.goto(paths.apiExplorer);
	const colours = await coloursOf();
	await expect(page.getByRole('cell', { name: paths.submitLead })).toBeVisible();
	const said = /[\d.]+ MB/.exec(await status.innerText())![0];
	// Not an idle moment: Chromium may find none for minutes. What is in sight is looked at for each frame.
	await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
	expect(await megabytesOf(loaded)).toBeLessThan(0.05);
	await page.locator('.explorer').evaluate((explorer) => explorer.scrollIntoView());
	goOn();
	await expect(status).toContainText('could not be loaded');
	await expect(status.getByRole('link')).toHaveAttribute('href', paths.apiReference);
	await expect(page.locator('.explorer-ready')).toHaveCount(0);
	expect(`${(await megabytesOf(loaded)).toFixed(1)} MB`).toBe(said);

	// Here it is in sight at once.
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.goto(paths.apiExplorer);
	await expectLoaded(page);
	await expect(page.getByRole('heading', { name: 'Schemas' })).toHaveCSS('color', colours[0]!);
	expect(await coloursOf()).toEqual(colours);
	// Scalar's own header for phones is outside of all regions, which no setting changes.
	await expectAccessible(page, ['region']);
});

test('a link to an operation opens it, its fields in order, and it can be tried, on a phone too', async ({ page, request }) => {
	const { components } = (await (await request.get(paths.openapi)).json()) as OpenApi;
	await page.goto(`${paths.apiExplorer}#tag/leads/POST${paths.submitLead}`);
	await expectLoaded(page);
	await expect(page.getByText('No key needed', { exact: true }).first()).toBeVisible();
	await expect(page.getByText(/Auth\w* optional/i)).toHaveCount(0);
	const fields = page.locator('button', { hasText: 'Copy link to' });
	await expect(fields).not.toHaveCount(0);
	const names = (await fields.allTextContents()).map((name) => name.replace('Copy link to ', ''));
	const order = Object.keys(components.schemas['Lead']!.properties!);
	expect(names.filter((name) => order.includes(name))).toEqual(order);

	// Copied samples have the test key, and so have leads that the explorer sends, one after the other.
	const sample = page.locator('.scalar-card', { hasText: 'Shell Curl' }).first();
	await sample.hover();
	await sample.getByRole('button', { name: /copy/i }).first().click();
	await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/Authorization: Bearer \w+_test_\w{36}'/);

	const open = page.getByRole('button', { name: /^Test Request.*contact/i }).first();
	await open.click();
	const body = page.getByRole('dialog').locator('.cm-content', { hasText: '"consent"' });
	for (const name of ['Ana', 'Eve']) {
		await body.press('ControlOrMeta+A');
		await page.keyboard.insertText(JSON.stringify({ name, clinic: 'Sol', email: 'ana@clinicasol.example', consent: 'on' }));
		const sent = page.waitForResponse((response) => response.url().endsWith(paths.submitLead));
		await page.getByRole('button', { name: /^Send/ }).first().click();
		const answer = await sent;
		expect(answer.request().postDataJSON()).toMatchObject({ name });
		// Nothing reaches the sales team.
		expect([answer.status(), answer.headers()['test-key']]).toEqual([200, '?1']);
	}
	await page.setViewportSize(phone);
	await expect(page.getByRole('button', { name: /^Send/ }).first()).toBeInViewport({ ratio: 1 });
});

test('a script of another site sends a lead, with headers of its own', async ({ page, baseURL }) => {
	await using site = await serve((_, response) =>
		response.setHeader('content-type', 'text/html').end('<link rel=icon href=data:,>'),
	);
	await page.goto(site.url);
	const headers = { 'content-type': 'application/json', authorization: 'Basic', traceparent: '00', 'user-agent': 'sdk' };
	const asked = { url: baseURL + paths.submitLead, init: { method: 'POST', headers, body: JSON.stringify(leadOf()) } };
	expect(await page.evaluate(async ({ url, init }) => (await fetch(url, init)).status, asked)).toBe(200);
});

testWithoutScripts('the page says what it is, and leads to what can be read', async ({ page }) => {
	await page.goto(paths.apiExplorer);
	await expect(page.getByRole('main')).toContainText('needs JavaScript');
	for (const path of [paths.apiReference, paths.openapi])
		await expect(page.locator(`.docs-text a[href="${path}"]`)).toBeVisible();
	await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
});

async function expectLoaded(page: Page): Promise<void> {
	await expect(page.getByRole('heading', { name: 'Send a sales lead' })).toBeVisible();
	await expect(page.locator('.explorer-ready')).toBeVisible();
}

/** Sums the bodies as sent over the wire. */
async function megabytesOf(requests: Request[]): Promise<number> {
	const sizes = await Promise.all(requests.map((request) => request.sizes()));
	return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0) / 1e6;
}
