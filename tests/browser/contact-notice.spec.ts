import type { Route } from 'playwright/test';
import { defaultLanguage } from '../../src/facts/language.ts';
import { expectAccessible } from './accessible.ts';
import { entered, expectKept, fillIn, longAddress, send, visitor } from './contact-page.ts';
import { ports } from './servers.ts';
import { expect, test } from './test.ts';
import { copyIn, onPhone } from './words.ts';

test.use({ expectedMessages: [/Failed to load resource/] });

const { fields, notices } = copyIn(defaultLanguage);

test('what can be sent again is sent from beside the notice', onPhone, async ({ page }) => {
	const values = visitor();
	const notice = page.getByRole('alert');
	const again = page.getByRole('button', { name: 'Send again' });
	await page.goto(`http://localhost:${ports.undelivering}/contact`);
	await fillIn(page, values);
	await send(page);
	for (const click of [() => again.click(), () => expectAccessible(page)]) {
		await expect(notice).toBeFocused();
		await expect(notice).toBeInViewport();
		await expect(again).toBeInViewport();
		await expectKept(page, values);
		await click();
	}
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
	await expectAccessible(page);
	await links.nth(1).click();
	await expect(page.locator(`#${entered[1]!.name}`)).toBeFocused();
	for (const [index, { name, example }] of entered.entries()) {
		const field = page.locator(`#${name}`);
		await expect(field).toHaveAttribute('aria-invalid', 'true');
		await expect(field).toHaveAccessibleDescription(new RegExp(RegExp.escape(errors[index]!)));
		await field.fill(example);
		await expect(page.locator(`#${name}-error`)).toBeHidden();
		await expect(links).toHaveCount(entered.length - index - 1);
	}
	await expect(summary).toHaveCount(0);
});

const { invalid: _invalid, unread: _unread, ...kinds } = notices;
const html = '<!doctype html><title>Sign in</title><p>Welcome to the hotel</p>';
/** Each answer that comes in place of ours, and the notice about it. */
const strange: [kind: keyof typeof kinds, status: number, body: string, headers?: Record<string, string>][] = [
	['offline', 200, html],
	['offline', 200, 'null'],
	['offline', 408, html],
	['offline', 422, '{"errors":"no"}'],
	['offline', 422, '{"errors":[null,{"message":"no"}]}'],
	['refused', 403, html],
	['tooLong', 413, html],
	['limited', 429, ''],
	['limited', 429, '', { 'retry-after': '86400' }],
	['unavailable', 502, html],
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
		const isWorthAnother = kind !== 'refused' && kind !== 'tooLong';
		await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible({ visible: isWorthAnother });
		await expect(page).toHaveURL('/contact');
	};
	await expectNotice('offline');
	for (const [kind, status, body, headers = {}] of strange) {
		answer = (route) => route.fulfill({ status, body, headers });
		await expectNotice(kind, headers['retry-after'] && 'in 24 hours');
	}
	values['message'] = 'x'.repeat(70_000);
	await page.locator('#message').fill(values['message']);
	await expectNotice('tooLong');
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

test('while a lead is under way, that is said and nothing is sent again, and after 30 seconds it is given up', async ({
	page,
}) => {
	let requests = 0;
	await page.setViewportSize({ width: 360, height: 740 });
	await page.clock.install();
	await page.route('**/api/contact', () => void requests++);
	await page.goto('/contact');
	await fillIn(page);
	await page.locator('#email').press('Enter');
	await page.locator('#email').press('Enter');
	const progress = page.getByRole('status');
	await expect(page.getByRole('button', { name: 'Sending…' })).toHaveAttribute('aria-disabled', 'true');
	await expect(progress).toHaveText('Sending…');
	await page.clock.fastForward(8000);
	await expect(progress).toHaveText('This is taking longer than usual. We are still trying…');
	await page.locator('#name').scrollIntoViewIfNeeded();
	await expect(progress).toBeInViewport();
	await page.clock.fastForward(22_000);
	await expect(progress).toBeEmpty();
	await expect(page.getByRole('alert')).toContainText('We could not be reached.');
	expect(requests).toBe(1);
});
