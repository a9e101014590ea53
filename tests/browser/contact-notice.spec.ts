import type { Route } from 'playwright/test';
import { defaultLanguage } from '../../src/facts/language.ts';
import { entered, expectKept, fillIn, longAddress, send, visitor } from './contact-page.ts';
import { ports } from './servers.ts';
import { expect, test } from './test.ts';
import { copyIn, onPhone } from './words.ts';

test.use({ expectedMessages: [/Failed to load resource/] });

const { fields, notices } = copyIn(defaultLanguage);

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
			if (javaScriptEnabled) return;
			await page.getByRole('link', { name: 'Read the privacy notice' }).click();
			await expect(page).toHaveURL(/\/privacy$/);
			await page.goBack();
			await expect(page.getByRole('alert')).toBeVisible();
			await expectKept(page, values);
		});

		test('errors stand in a summary that has the focus, and at the fields until each is corrected', async ({ page }) => {
			const message = `"Quotes" & <b>tags</b>\n  and lines ${'m'.repeat(5000)}`;
			const values = Object.fromEntries(entered.map(({ name, maxLength }) => [name, 'x'.repeat(maxLength! + 1)]));
			Object.assign(values, { email: longAddress, message });
			await page.goto('/contact');
			await fillIn(page, values);
			await send(page);

			const summary = page.getByRole('alert');
			const links = summary.getByRole('link');
			const errors = entered.map(({ name, label, maxLength }) => {
				const most = maxLength!.toLocaleString('en');
				return `Use at most ${most} characters for “${fields[name]?.label ?? label}”.`;
			});
			await expect(page).toHaveTitle(/^Error: /);
			await expect(summary).toBeFocused();
			await expect(links).toHaveText(errors);
			await expect(page.getByRole('button', { name: 'Send again' })).toBeHidden();
			await expectKept(page, values);
			await expect(page.locator('#consent')).toBeChecked();
			await links.nth(1).click();
			await expect(page.locator(`#${entered[1]!.name}`)).toBeFocused();
			for (const [index, { name, example }] of entered.entries()) {
				const field = page.locator(`#${name}`);
				await expect(field).toHaveAttribute('aria-invalid', 'true');
				await expect(field).toHaveAccessibleDescription(new RegExp(RegExp.escape(errors[index]!)));
				await field.fill(example);
				await field.blur();
				await expect(page.locator(`#${name}-error`)).toBeHidden();
				await expect(links).toHaveCount(entered.length - index - 1);
			}
			await expect(summary).toHaveCount(0);
		});
	});

const { invalid: _invalid, unread: _unread, ...kinds } = notices;
const html = '<!doctype html><title>Sign in</title><p>Welcome to the hotel</p>';
/** Each answer that comes in place of ours, and the notice about it. */
const strange: [kind: keyof typeof kinds, status: number, body: string, headers?: Record<string, string>][] = [
	['offline', 200, html],
	['offline', 200, '{"ok":tr'],
	['offline', 200, 'null'],
	['offline', 408, html],
	['offline', 422, '{"type":"https://www.website.test/docs/errors/invalid-lead","errors":[{"poin'],
	['offline', 422, '{"errors":"no"}'],
	['offline', 422, '{"errors":[null,{"message":"no"}]}'],
	['refused', 403, html],
	['limited', 429, ''],
	['limited', 429, '', { 'retry-after': '86400' }],
	['unavailable', 502, html],
	['unavailable', 503, '{"errors":{"a":"b"}}'],
];

test('whatever comes in place of our answer is told in the visitor’s words, and nothing is lost', async ({ page }) => {
	let answer = (route: Route) => route.abort();
	await page.route('**/api/contact', (route) => answer(route));
	await page.goto('/contact');
	const values = visitor();
	await fillIn(page, values);
	const expectNotice = async (kind: keyof typeof kinds, when = 'later') => {
		await send(page);
		const [text] = kinds[kind].text.replace('{when}', when).split('{email}');
		const notice = page.getByRole('alert');
		await expect(notice).toContainText(`${kinds[kind].title}${text}`);
		await expect(notice).toBeFocused();
		await expect(notice.getByRole('link')).toHaveAttribute('href', /^mailto:/);
		await expectKept(page, values);
		await expect(page.locator('#consent')).toBeChecked();
		await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible({ visible: kind !== 'refused' });
		await expect(page).toHaveURL('/contact');
	};
	await expectNotice('offline');
	for (const [kind, status, body, headers = {}] of strange) {
		answer = (route) => route.fulfill({ status, body, headers });
		await expectNotice(kind, headers['retry-after'] && 'in 24 hours');
	}
});

test('what is missing is asked for, and stays marked until it is right', async ({ page }) => {
	await page.goto('/contact');
	const consent = page.getByRole('checkbox');
	// Chromium's tree would have it as invalid at once.
	for (const [name, value] of Object.entries({ required: 'true', invalid: 'false' }))
		await expect(consent).toHaveAttribute(`aria-${name}`, value);
	await page.locator('#email').fill('not an address');
	await send(page);
	const links = page.getByRole('alert').getByRole('link');
	await expect(links).toHaveText([
		'Enter your name.',
		'Enter the name of your clinic.',
		'Enter one email address, such as ana@clinic.example.',
		'Tick the box to agree, so that we may answer you.',
	]);
	await page.locator('#email').fill('ana@');
	await expect(page.locator('#email')).toHaveAttribute('aria-invalid', 'true');
	await consent.check();
	await expect(consent).not.toHaveAttribute('aria-invalid');
	await expect(links).toHaveCount(3);
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
