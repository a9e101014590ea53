import type { Route } from 'playwright/test';
import { defaultLanguage, fillWords, pathIn } from '../../src/facts/language.ts';
import { enteredFields } from '../../src/lead/lead.ts';
import { deliveredAbout, expectKept, fillIn, longAddress, send, visitor } from './contact-page.ts';
import { answerFirst, expect, expectAccessible, phone, test } from './test.ts';
import { copyIn, languages } from './words.ts';

test.use({ expectedMessages: [/Failed to load resource/] });

const { errors, fields, notices } = copyIn(defaultLanguage);
const texts = enteredFields.filter(({ maxLength }) => maxLength !== undefined);

test('errors are in a summary that has the focus, and at the fields until each is right', async ({ page }) => {
	await page.goto('/contact');
	const title = await page.title();
	const consent = page.getByRole('checkbox');
	// Browsers tell screen readers that an empty `required` field is invalid, before anybody has written: Chromium of the box, Firefox of all.
	await expect(page.locator('[aria-required=true]')).toHaveCount(4);
	await expect(page.locator('[required], [aria-invalid=true]')).toHaveCount(0);
	const summary = page.getByRole('alert');
	const links = summary.getByRole('link');
	await send(page);
	await expect(summary).toBeFocused();
	await expect(page).toHaveTitle(/^Error: /);
	await expect(links).toHaveText(['name', 'clinic', 'email', 'consent'].map((name) => errors[`${name}_required`]!));
	await expect(page.getByRole('button', { name: 'Send again' })).toBeHidden();
	await expectAccessible(page);
	await page.locator('#email').fill('ana@');
	await expect(links).toHaveCount(4);
	await consent.check();
	await expect(consent).not.toHaveAttribute('aria-invalid');
	await expect(links).toHaveCount(3);

	const message = `"Quotes" & <b>tags</b>\n  and lines ${'m'.repeat(5000)}`;
	const values = Object.fromEntries(texts.map(({ name, maxLength }) => [name, 'x'.repeat(maxLength! + 1)]));
	Object.assign(values, { email: longAddress, message });
	await fillIn(page, values);
	await expect(page).toHaveTitle(title);
	await send(page);
	const tooLong = texts.map(({ name, label, maxLength }) =>
		fillWords(errors['too_long']!, { max: maxLength!.toLocaleString('en'), label: fields[name]?.label ?? label! }),
	);
	await expect(links).toHaveText(tooLong);
	await expectKept(page, values);
	await expect(consent).toBeChecked();
	await links.nth(1).click();
	await expect(page.locator(`#${texts[1]!.name}`)).toBeFocused();
	for (const [index, { name, example }] of texts.entries()) {
		const field = page.locator(`#${name}`);
		await expect(field).toHaveAttribute('aria-invalid', 'true');
		await expect(field).toHaveAccessibleDescription(new RegExp(RegExp.escape(tooLong[index]!)));
		await field.fill(example);
		await expect(page.locator(`#${name}-error`)).toBeHidden();
		await expect(links).toHaveCount(texts.length - index - 1);
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

test('a notice tells of any answer that is not ours, beside a button that sends again, and nothing is lost', async ({ page }) => {
	let answer = (route: Route) => route.abort();
	await page.route('**/api/contact', (route) => answer(route));
	await page.goto('/contact');
	const values = visitor();
	await fillIn(page, values);
	const notice = page.getByRole('alert');
	const again = page.getByRole('button', { name: 'Send again' });
	const expectNotice = async (kind: keyof typeof kinds, when = 'later') => {
		await ((await again.isVisible()) ? again.click() : send(page));
		const [text] = kinds[kind].text.replace('{when}', when).split('{email}');
		await expect(notice).toContainText(`${kinds[kind].title}${text}`);
		await expect(notice).toBeFocused();
		await expect(notice).toBeInViewport();
		await expect(notice.getByRole('link')).toHaveAttribute('href', /^mailto:/);
		if (kind === 'refused' || kind === 'tooLong') await expect(again).toBeHidden();
		else await expect(again).toBeInViewport();
		await expectKept(page, values);
		await expect(page.locator('#consent')).toBeChecked();
		await expect(page).toHaveURL('/contact');
	};
	await expectNotice('offline');
	for (const [kind, status, body, headers = {}] of strange) {
		answer = (route) => route.fulfill({ status, body, headers });
		await expectNotice(kind, headers['retry-after'] && 'in 24 hours');
	}
	await page.setViewportSize(phone);
	answer = (route) => route.abort();
	await expectNotice('offline');
	await expectAccessible(page);
	values['message'] = 'x'.repeat(70_000);
	await page.locator('#message').fill(values['message']);
	await expectNotice('tooLong');
});

test('a page that a browser translated still words what went wrong, and sends the language we published', async ({ page }) => {
	const language = languages.at(-1)!;
	const { notices } = copyIn(language);
	const values = visitor();
	await answerFirst(page, '**/api/contact', (route) => route.fulfill({ status: 429, headers: { 'retry-after': '300' } }));
	await page.goto(pathIn(language, '/contact'));
	await fillIn(page, values, { language });
	await page.evaluate(() => {
		document.documentElement.lang = 'auto';
		for (const label of document.querySelectorAll('label')) label.textContent = 'Translated';
	});
	const button = page.locator('#contact-form > button');
	await button.last().click();
	await expect(page.getByRole('alert')).toContainText(notices.limited.title);
	await button.last().click();
	await expect(page).toHaveURL(pathIn(language, '/contact/thanks'));
	const { text } = await deliveredAbout(values.clinic);
	// And with it the words of consent that are kept.
	expect(text).toContain(`(${language})`);
});

test('while a lead is under way the page says so and sends nothing again; after 35 seconds it gives up', async ({ page }) => {
	let requests = 0;
	await page.setViewportSize(phone);
	await page.clock.install();
	await page.route('**/api/contact', () => void requests++);
	await page.goto('/contact');
	await fillIn(page);
	await page.locator('#email').press('Enter');
	await page.locator('#email').press('Enter');
	const progress = page.getByRole('status').last();
	await expect(page.getByRole('button', { name: 'Sending…' })).toHaveAttribute('aria-disabled', 'true');
	await expect(progress).toHaveText('Sending…');
	await page.clock.fastForward(8000);
	await expect(progress).toHaveText('This is taking longer than usual. We are still trying…');
	await page.locator('#name').scrollIntoViewIfNeeded();
	await expect(progress).toBeInViewport();
	await page.clock.fastForward(27_000);
	await expect(progress).toBeEmpty();
	await expect(page.getByRole('alert')).toContainText('We could not be reached.');
	expect(requests).toBe(1);
});
