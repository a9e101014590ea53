import { pathIn } from '../../src/facts/language.ts';
import { paths } from '../../src/facts/links.ts';
import { deliveredText, fillIn, longAddress, send, visitor } from './contact-page.ts';
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

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled, expectedMessages: [/422/] });

		test('tells the sales team that a visitor came from a price card', async ({ page }) => {
			const { clinic, email } = visitor();
			await page.goto('/');
			const [card, topic] = javaScriptEnabled ? ([0, 'payg'] as const) : ([1, 'plans'] as const);
			await page.getByRole('link', { name: 'Ask for a price' }).nth(card).click();
			// Refused once: the form then comes back from another address.
			await fillIn(page, { clinic, email: longAddress });
			await send(page);
			// The browser complains when a field has the focus before the notice can take it.
			await expect(page.getByRole('alert')).toBeFocused();
			await page.locator('#email').fill(email);
			await send(page);
			await expect(page).toHaveURL('/contact/thanks');
			expect(await deliveredText(clinic)).toContain(`/contact?topic=${topic}`);
		});
	});
