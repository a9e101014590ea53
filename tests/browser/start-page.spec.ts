import { pathIn } from '../../src/facts/language.ts';
import { paths } from '../../src/facts/links.ts';
import { expect, test } from './test.ts';
import { languages, onPhone } from './words.ts';

test('has links for developers in a strip and its footer, and on a phone none in its header', onPhone, async ({ page }) => {
	await page.goto('/');
	for (const path of ['/docs', '/docs/api', paths.skill]) {
		const link = `a[href="${path}"]`;
		for (const part of ['.strip', '.site-footer']) await expect(page.locator(part).locator(link)).toBeVisible();
		const inHeader = page.locator('.site-header').locator(link).filter({ visible: true });
		await expect(inHeader).toHaveCount(path === '/docs' && page.viewportSize()!.width > 1000 ? 1 : 0);
	}
});

test('shows its button without scrolling in a small window', async ({ page }) => {
	await page.setViewportSize({ width: 1366, height: 650 });
	for (const language of languages) {
		await page.goto(pathIn(language, '/'));
		await expect(page.locator('.hero .action'), language).toBeInViewport({ ratio: 1 });
	}
});
