import type { Route } from 'playwright/test';
import { defaultLanguage } from '../../src/facts/language.ts';
import { entered, expectKept, fillIn, longAddress, send, visitor } from './contact-page.ts';
import { ports } from './servers.ts';
import { expect, test } from './test.ts';
import { copyIn, onPhone } from './words.ts';

test.use({ expectedMessages: [/Failed to load resource/] });

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		test('what can be sent again is sent from beside the notice', onPhone, async ({ page }) => {
			const values = visitor();
			await page.goto(`http://localhost:${ports.undelivering}/contact`);
			await fillIn(page, values);
			await send(page);
			const again = page.getByRole('button', { name: 'Send again' });
			await expect(again).toBeInViewport();
			await expect(page.getByRole('alert')).toBeInViewport();
			await expect(page.getByRole('alert')).toBeFocused();
			await again.click();
			await expect(page.getByRole('alert')).toBeFocused();
			await expectKept(page, values);
		});

		test('each error goes as its field is corrected, and the notice with the last one', async ({ page }) => {
			const long = { name: 'n'.repeat(121), clinic: 'c'.repeat(161), email: longAddress, phone: '0'.repeat(41) };
			await page.goto('/contact');
			await fillIn(page, { ...long, country: 'c'.repeat(81), message: 'm'.repeat(5001) });
			await send(page);
			const links = page.getByRole('alert').getByRole('link');
			await expect(links).toHaveCount(entered.length);
			for (const [index, { name, example }] of entered.entries()) {
				await page.locator(`#${name}`).fill(example);
				await page.locator(`#${name}`).blur();
				await expect(page.locator(`#${name}-error`)).toBeHidden();
				await expect(links).toHaveCount(entered.length - index - 1);
			}
			await expect(page.getByRole('alert')).toHaveCount(0);
		});
	});

const { invalid: _invalid, unread: _unread, ...kinds } = copyIn(defaultLanguage).notices;
const html = '<!doctype html><title>Sign in</title><p>Welcome to the hotel</p>';
/** What comes in place of our answer, and the notice about it. */
const strange: [kind: keyof typeof kinds, status: number, body: string][] = [
	['offline', 200, html],
	['offline', 200, '{"ok":tr'],
	['offline', 200, 'null'],
	['offline', 408, html],
	['offline', 422, '{"type":"https://www.website.test/docs/errors/invalid-lead","errors":[{"poin'],
	['offline', 422, '{"errors":"no"}'],
	['offline', 422, '{"errors":[null,{"message":"no"}]}'],
	['refused', 403, html],
	['limited', 429, ''],
	['unavailable', 502, html],
	['unavailable', 503, '{"errors":{"a":"b"}}'],
];

test('whatever comes in place of our answer is told in the visitor’s words, and nothing is lost', async ({ page }) => {
	let answer = (route: Route) => route.abort();
	await page.route('**/api/contact', (route) => answer(route));
	await page.goto('/contact');
	const values = visitor();
	await fillIn(page, values);
	const expectNotice = async (kind: keyof typeof kinds) => {
		await send(page);
		const [text] = kinds[kind].text.replace('{when}', 'later').split('{email}');
		await expect(page.getByRole('alert')).toContainText(`${kinds[kind].title}${text}`);
		await expectKept(page, values);
		await expect(page).toHaveURL('/contact');
	};
	await expectNotice('offline');
	for (const [kind, status, body] of strange) {
		answer = (route) => route.fulfill({ status, body });
		await expectNotice(kind);
	}
});

test('a field stays marked until it is corrected', async ({ page }) => {
	await page.goto('/contact');
	await send(page);
	await page.locator('#email').fill('ana@');
	await expect(page.locator('#email')).toHaveAttribute('aria-invalid', 'true');
	await page.getByRole('checkbox').check();
	await expect(page.locator('#consent')).not.toHaveAttribute('aria-invalid');
	await expect(page.getByRole('alert').getByRole('link')).toHaveCount(3);
});

test('an answer that takes long is waited for in words, and then given up', onPhone, async ({ page }) => {
	await page.clock.install();
	await page.route('**/api/contact', () => {});
	await page.goto('/contact');
	await fillIn(page);
	await send(page);
	await expect(page.getByRole('status')).toHaveText('Sending…');
	await page.clock.fastForward(8000);
	const progress = page.getByRole('status');
	await expect(progress).toHaveText('This is taking longer than usual. We are still trying…');
	await page.locator('#name').scrollIntoViewIfNeeded();
	await expect(progress).toBeInViewport();
	await page.clock.fastForward(22_000);
	await expect(progress).toBeEmpty();
	await expect(page.getByRole('alert')).toContainText('We could not be reached.');
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('back from another page, a form that could not be sent is there', async ({ page }) => {
		const values = visitor();
		await page.goto(`http://localhost:${ports.undelivering}/contact`);
		await fillIn(page, values);
		await send(page);
		await expect(page.getByRole('alert')).toBeFocused();
		await page.getByRole('link', { name: 'Read the privacy notice' }).click();
		await expect(page).toHaveURL(/\/privacy$/);
		await page.goBack();
		await expect(page.getByRole('alert')).toBeVisible();
		await expectKept(page, values);
	});
});
