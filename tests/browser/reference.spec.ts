import type { Page } from 'playwright/test';
import { paths } from '../../src/service/links.ts';
import { expect, test } from './test.ts';

const samples = (page: Page) => page.locator('#submitLead .operation-samples');
const tab = (page: Page, title: string) => samples(page).locator('summary', { hasText: title });
const panel = (page: Page, id: string) => page.locator(`[id="${id}"]`);

test('samples stay beside the words that they are of', async ({ page }, { project }) => {
	test.skip(project.name === 'phone', 'there is no room beside them');
	await page.setViewportSize({ width: 1200, height: 900 });
	await page.goto(paths.apiReference);
	await page.locator('#submitLead-source').scrollIntoViewIfNeeded();
	await expect(tab(page, 'curl')).toBeInViewport();
	const [words, beside] = await Promise.all([page.locator('#submitLead-source').boundingBox(), samples(page).boundingBox()]);
	expect(beside!.x).toBeGreaterThan(words!.x + words!.width);
});

test('what does not scroll is no stop of the keyboard', async ({ page }) => {
	await page.goto(paths.apiReference);
	const idle = await page
		.locator('main [tabindex="0"]')
		.evaluateAll((all) => all.filter((one) => one.scrollWidth <= one.clientWidth).map((one) => one.outerHTML.slice(0, 100)));
	expect(idle).toEqual([]);
});

test('every field has an address of its own, and leads to it', async ({ page }) => {
	await page.goto(paths.apiReference);
	const fields = page.locator('.reference-fields tbody tr');
	const addresses = await fields.evaluateAll((rows) =>
		rows.map((row) => [`#${row.id}`, row.querySelector('a')!.getAttribute('href')]),
	);
	expect(addresses.length).toBeGreaterThan(10);
	for (const [own, link] of addresses) expect(link).toBe(own);
	expect(new Set(addresses.map(([own]) => own)).size).toBe(addresses.length);
	await fields.getByRole('link', { name: 'email', exact: true }).click();
	await expect(page).toHaveURL(`${paths.apiReference}#submitLead-email`);
});

test('every answer of the description has a tab with one example', async ({ page, request }) => {
	const { paths: operations } = (await (await request.get(paths.openapi)).json()) as {
		paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, { examples: object }> }> }>>;
	};
	const responses = Object.entries(operations[paths.submitLead]!['post']!.responses);
	const wanted = responses.flatMap(([status, { content }]) =>
		Object.values(content).flatMap(({ examples }) => Object.keys(examples).map(() => status)),
	);
	await page.goto(paths.apiReference);
	const answers = page.locator('.tabs[aria-label="Answers of submitLead"] > .tab');
	expect((await answers.locator('summary').allTextContents()).map((title) => title.trim().slice(0, 3))).toEqual(wanted);
	for (const answer of await answers.all()) await expect(answer.locator('pre')).toHaveCount(1);
});

test('on paper every tab is open', async ({ page }) => {
	await page.goto(paths.apiReference);
	await page.emulateMedia({ media: 'print' });
	const closed = await page.locator('.tab-panel').evaluateAll((panels) => panels.filter((one) => !one.checkVisibility()).length);
	expect(closed).toBe(0);
});

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		test('one sample is shown at a time, the one that was chosen', async ({ page }) => {
			await page.goto(paths.apiReference);
			const python = samples(page).locator('.language-python').first();
			const curl = samples(page).locator('.language-bash').first();
			await expect(curl).toBeVisible();
			await expect(python).toBeHidden();
			await tab(page, 'Python').click();
			await expect(python).toBeVisible();
			await expect(curl).toBeHidden();
			await tab(page, 'TypeScript').focus();
			await page.keyboard.press('Enter');
			await expect(samples(page).locator('.language-typescript').first()).toBeVisible();
		});

		test('the address of an answer opens it', async ({ page }) => {
			await page.goto(`${paths.apiReference}#submitLead-invalid-lead`);
			await expect(panel(page, 'submitLead-invalid-lead')).toBeVisible();
			await expect(panel(page, 'submitLead-invalid-lead')).toBeInViewport();
			await expect(panel(page, 'submitLead-200')).toBeHidden();
		});

		test('the type of a problem leads to what it means, and from there to an example', async ({ page, request }) => {
			const answer = await request.post(paths.submitLead, { data: {} });
			const { type } = (await answer.json()) as { type: string };
			await page.goto(paths.apiReference + new URL(type).hash);
			const row = page.locator(':target');
			await expect(row).toContainText('The lead is not valid');
			await expect(row).toBeInViewport();
			await row.getByRole('link', { name: 'Example' }).click();
			await expect(panel(page, 'submitLead-invalid-lead')).toBeVisible();
		});
	});
