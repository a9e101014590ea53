import { expect, test } from './test.ts';

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
