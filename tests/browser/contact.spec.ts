import type { Route } from 'playwright/test';
import { addressPattern } from '../../src/lead/email-address.ts';
import { entered, expectDelivered, expectKept, fillIn, longAddress, send, visitor } from './contact-page.ts';
import { ports } from './servers.ts';
import { expect, test } from './test.ts';

const failedRequest = /Failed to load resource/;

test('while a lead is under way, the button says so and nothing is sent again', async ({ page }) => {
	let requests = 0;
	const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
	await page.route('**/api/contact', async (route) => {
		requests++;
		await answered;
		await route.continue();
	});
	await page.goto('/contact');
	await fillIn(page);
	await page.locator('#email').press('Enter');
	await page.locator('#email').press('Enter');

	const button = page.getByRole('button', { name: 'Sending…' });
	await expect(button).toHaveAttribute('aria-disabled', 'true');
	await expect(page.getByRole('status')).toHaveText('Sending…');
	answer();
	await expect(page).toHaveURL('/contact/thanks');
	expect(requests).toBe(1);
});

test('the keyboard alone is enough, and never meets the trap for robots', async ({ page }) => {
	const values = visitor();
	await page.goto('/contact');
	await page.locator('#name').focus();
	for (const { name } of entered) {
		await page.keyboard.insertText(values[name]!);
		await page.keyboard.press('Tab');
	}
	await page.keyboard.press('Space');
	await page.keyboard.press('Tab');
	await expect(page.getByRole('link', { name: 'Read the privacy notice' })).toBeFocused();
	await page.keyboard.press('Tab');
	await expect(page.getByRole('button', { name: 'Send message' })).toBeFocused();
	await page.keyboard.press('Enter');

	await expect(page).toHaveURL('/contact/thanks');
	await expectDelivered(values.clinic);
});

test('the trap for robots is in the form, out of sight and out of the accessibility tree', async ({ page }) => {
	await page.goto('/contact');
	await expect(page.locator('#website')).not.toBeInViewport();
	await expect(page.getByRole('textbox', { name: 'Leave this field empty' })).toHaveCount(0);
	await expect(page.getByText('Leave this field empty')).toBeAttached();
});

test('after a lead was sent, going back gives an empty form that works', async ({ page }) => {
	await page.goto('/contact');
	await fillIn(page);
	await send(page);
	await expect(page).toHaveURL('/contact/thanks');
	await page.goBack();
	await expect(page.locator('#clinic')).toHaveValue('');
	await fillIn(page);
	await send(page);
	await expect(page).toHaveURL('/contact/thanks');
});

test.describe('when the server does not take the lead', () => {
	test.use({ expectedMessages: [failedRequest] });

	test('errors stand at the fields and in a summary that has the focus', async ({ page }) => {
		await page.goto('/contact');
		// Chromium's tree would have it as invalid at once.
		const consent = page.getByRole('checkbox');
		for (const [name, value] of Object.entries({ required: 'true', invalid: 'false' }))
			await expect(consent).toHaveAttribute(`aria-${name}`, value);
		await fillIn(page, { name: '', clinic: '', email: 'not an address' });
		await consent.uncheck();
		await send(page);

		const summary = page.getByRole('alert');
		await expect(summary).toBeFocused();
		await expect(summary.getByRole('link')).toHaveText([
			'Enter your name.',
			'Enter the name of your clinic.',
			'Enter one email address, such as ana@clinic.example.',
			'Tick the box to agree, so that we may answer you.',
		]);
		await expect(page.locator('#email')).toHaveAttribute('aria-invalid', 'true');
		await expect(page.locator('#email')).toHaveAccessibleDescription('Enter one email address, such as ana@clinic.example.');
		await expect(page).toHaveTitle(/^Error: /);
		await summary.getByRole('link', { name: 'Enter the name' }).click();
		await expect(page.locator('#clinic')).toBeFocused();
	});

	test('sent again after the answer was lost, it is one lead', async ({ page }) => {
		const values = visitor();
		const lose = async (route: Route) => {
			await route.fetch();
			await route.abort();
		};
		await page.route('**/api/contact', lose, { times: 1 });
		await page.goto('/contact');
		await fillIn(page, values);
		await send(page);
		await expect(page.getByRole('alert')).toContainText('We could not be reached.');
		await send(page);
		await expect(page).toHaveURL('/contact/thanks');
		await expectDelivered(values.clinic);
	});

	test('nothing is lost when too many were sent', async ({ page, request }) => {
		const url = `http://localhost:${ports.limiting}`;
		await request.post(`${url}/api/contact`, { data: { website: 'x' } });
		const values = visitor();
		await page.goto(`${url}/contact`);
		await fillIn(page, values);
		await send(page);

		const notice = page.getByRole('alert');
		await expect(notice.getByRole('heading')).toHaveText('Your message was not sent yet');
		await expect(notice).toContainText('Try again in 24 hours');
		await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
		await expect(notice.getByRole('link')).toHaveAttribute('href', /^mailto:/);
		await expect(notice).toBeFocused();
		await expectKept(page, values);
		await expect(page.locator('#consent')).toBeChecked();
	});
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false, expectedMessages: [failedRequest] });

	test('errors stand at the fields and in a summary, with all that was typed or pasted', async ({ page }) => {
		const long = {
			phone: '0'.repeat(60),
			email: longAddress,
			message: `"Quotes" & <b>tags</b>\n  and lines ${'m'.repeat(6000)}`,
		};
		const values = { ...visitor(), ...long };
		await page.goto('/contact');
		await fillIn(page, values);
		await send(page);

		await expect(page).toHaveTitle(/^Error: /);
		const summary = page.getByRole('alert');
		await expect(summary.getByRole('listitem')).toHaveText([
			'Use at most 254 characters for “Email”.',
			'Use at most 40 characters for “Phone”.',
			'Use at most 5,000 characters for “How can we help?”.',
		]);
		await expect(summary.getByRole('link').first()).toHaveAttribute('href', '#email');
		await expect(summary).toBeFocused();
		await expect(page.locator('#email')).toHaveAttribute('aria-invalid', 'true');
		// It has to be corrected first.
		await expect(page.getByRole('button', { name: 'Send again' })).toBeHidden();
		await expectKept(page, values);
		await expect(page.locator('#consent')).toBeChecked();
	});

	test('the browser takes the addresses that the server takes', async ({ page }) => {
		await page.goto('/contact');
		const email = page.locator('#email');
		const isTaken = async (address: string) => {
			await email.fill(address);
			return email.evaluate((field: HTMLInputElement) => field.checkValidity());
		};
		const wrong = ['ana', 'josé@clinic.example', 'ana@-clinic.example', `ana@${'a'.repeat(64)}.example`, 'ana@clinic.example.'];
		const right = ["!#$%&'*+-/=?^_`{|}~@a-b.clinic.example", '.abc..def.@docomo.ne.jp', `ana@${'a'.repeat(63)}`];
		for (const address of [...wrong, ...right]) {
			expect([address, await isTaken(address)]).toEqual([address, right.includes(address)]);
			expect([address, addressPattern.test(address)]).toEqual([address, right.includes(address)]);
		}
		expect(await isTaken('ana@clínica.example')).toBe(true);
		// The browser asks for what is required.
		await send(page);
		await expect(page).toHaveURL('/contact');
		await expect(page.locator('#name')).toBeFocused();
	});
});
