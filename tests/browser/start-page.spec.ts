import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Copy } from '../../src/service/copy.ts';
import { expect, test } from './test.ts';

const { action } = parse(readFileSync('content/en/contact.yaml', 'utf8')) as Copy;

test('asks for one thing, in the same words in its header, first and last', async ({ page }) => {
	await page.goto('/');
	for (const part of ['.site-header', '.hero', '.closing'])
		await expect(page.locator(part).getByRole('link', { name: action, exact: true })).toHaveAttribute('href', '/contact');
});

test('has a call to read, named as an example, and what comes of it', async ({ page }) => {
	await page.goto('/');
	const call = page.getByRole('figure', { name: /example/i });
	await expect(call.getByRole('listitem').first()).toContainText('software');
	await expect(call.getByRole('figure')).toContainText('Ms Okafor');
});

test('keeps the links for developers out of its header, and has them in a strip and under every page', async ({ page }) => {
	await page.goto('/');
	for (const part of ['.strip', '.site-footer'])
		for (const path of ['/docs', '/docs/api', '/auth.md'])
			await expect(page.locator(part).locator(`a[href="${path}"]`)).toBeVisible();
	await expect(page.locator('.site-header a')).toHaveCount(2);
});

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		test('opens the answer to a question by the keyboard', async ({ page }) => {
			await page.goto('/');
			const answer = page.getByText('What your clinic would pay depends on its calls.');
			await expect(answer).toBeHidden();
			await page.getByText('What does it cost?').focus();
			await page.keyboard.press('Enter');
			await expect(answer).toBeVisible();
		});
	});
