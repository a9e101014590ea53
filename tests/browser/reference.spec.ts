import type { Page } from 'playwright/test';
import { paths } from '../../src/facts/links.ts';
import { expect, phone, test, testWithoutScripts } from './test.ts';

const samples = (page: Page) => page.locator('#submitLead .operation-samples');
const tab = (page: Page, title: string) => samples(page).locator('summary', { hasText: title });

test('samples stay beside the words that they belong to', async ({ page }) => {
	await page.setViewportSize({ width: 1200, height: 900 });
	await page.goto(paths.apiReference);
	await page.locator('#submitLead-source').scrollIntoViewIfNeeded();
	await expect(tab(page, 'curl')).toBeInViewport();
	const [words, beside] = await Promise.all([page.locator('#submitLead-source').boundingBox(), samples(page).boundingBox()]);
	expect(beside!.x).toBeGreaterThan(words!.x + words!.width);
});

test('cells of a row, and the parts of an address, are read as they look', async ({ page }) => {
	await page.goto(paths.apiReference);
	await expect(page.getByRole('row', { name: 'Field Value Meaning', exact: true }).first()).toBeAttached();
	await expect(page.getByRole('row', { name: /^name required string, 1 to 120 characters / })).toHaveCount(1);
	await expect(page.getByRole('row', { name: /^invalid-lead 422 The lead is not valid\. / })).toHaveCount(1);
	await expect(page.getByRole('main')).toMatchAriaSnapshot(`- code: /^https:\\/\\/[^ ]+\\/api\\/contact$/`);
});

test('on a phone what scrolls is a stop of the keyboard, other code is not, and no button covers a sample', async ({ page }) => {
	await page.setViewportSize(phone);
	for (const path of [paths.apiReference, paths.authentication, paths.docs]) {
		await page.goto(path);
		const scrolling = page.locator('main :is(.scroll, pre)');
		const unreached = await scrolling.evaluateAll((all) =>
			all.flatMap((one) => (one.scrollWidth > one.clientWidth && one.tabIndex !== 0 ? [one.outerHTML.slice(0, 100)] : [])),
		);
		expect(unreached, path).toEqual([]);
		const stops = page.locator('main pre[tabindex="0"]').filter({ visible: true });
		const needless = () => stops.evaluateAll((all) => all.filter((one) => one.scrollWidth === one.clientWidth).length);
		await expect.poll(needless, path).toBe(0);
		await expect(page.locator('.copy').filter({ visible: true }).first()).toBeVisible();
		const covered = await page.locator('.example').evaluateAll((examples) =>
			examples.flatMap((example) => {
				const [code, button] = example.children as unknown as HTMLElement[];
				const covered = code!.getBoundingClientRect().right > button!.getBoundingClientRect().left && button!.offsetWidth > 0;
				return covered ? [example.textContent.slice(0, 60)] : [];
			}),
		);
		expect(covered, path).toEqual([]);
	}
});

test('no column of a table of the reference is outside the window of a phone', async ({ page }) => {
	await page.setViewportSize(phone);
	for (const path of [paths.apiReference, paths.errors]) {
		await page.goto(path);
		const cells = page.locator(':is(.reference-problems, .reference-fields) tbody *');
		const rights = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().right));
		expect(rights.length, path).toBeGreaterThan(0);
		expect(Math.max(...rights), path).toBeLessThanOrEqual(360);
	}
});

testWithoutScripts('one sample is shown at a time, the one that was chosen', async ({ page }) => {
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
	await page.goto(`${paths.apiReference}#submitLead-invalid-lead`);
	await expect(page.locator('#submitLead-invalid-lead')).toBeInViewport();
});
