import { existsSync } from 'node:fs';
import type { Page, Route } from 'playwright/test';
import { addressPattern } from '../../src/lead/email-address.ts';
import { deliveredText, entered, expectDelivered, expectKept, fillIn, longAddress, send, visitor } from './contact-page.ts';
import { expect, test } from './test.ts';

test.use({ expectedMessages: [/Failed to load resource/] });

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

test('the keyboard alone is enough, never meets the trap for robots, and finds an empty form again by going back', async ({
	page,
}) => {
	const values = visitor();
	await page.goto('/contact');
	await expect(page.getByText('Leave this field empty')).toBeAttached();
	await expect(page.locator('#website')).not.toBeInViewport();
	await expect(page.getByRole('textbox', { name: 'Leave this field empty' })).toHaveCount(0);
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
	await page.goBack();
	await expect(page.locator('#clinic')).toHaveValue('');
	await fillIn(page);
	await send(page);
	await expect(page).toHaveURL('/contact/thanks');
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

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled });

		/** Sends a form that is refused once: without JavaScript it then comes back from another address. */
		async function mendAndSend(page: Page, values: Record<string, string>): Promise<void> {
			const heading = page.getByRole('heading', { level: 1 });
			const [title, asked] = [await page.title(), await heading.innerText()];
			await send(page);
			// The browser complains when a field has the focus before the notice can take it.
			await expect(page.getByRole('alert')).toBeFocused();
			await expect(page).toHaveTitle(`Error: ${title}`);
			await expect(heading).toHaveText(asked);
			await expectKept(page, values);
			await page.locator('#email').fill('ana@clinicasol.example');
			await send(page);
			await expect(page).toHaveURL('/contact/thanks');
		}

		test('the sales team reads that a visitor came from a price card', async ({ page }) => {
			const values = { ...visitor(), email: longAddress };
			await page.goto('/');
			const [card, topic] = javaScriptEnabled ? ([0, 'payg'] as const) : ([1, 'plans'] as const);
			await page.getByRole('link', { name: 'Ask for a price' }).nth(card).click();
			await fillIn(page, values);
			await mendAndSend(page, values);
			expect(await deliveredText(values.clinic)).toContain(`/contact?topic=${topic}`);
		});

		test('a request for API access is asked for what it must state, and reaches the team', async ({ page }) => {
			test.skip(!existsSync('var/test/dist/client/contact/api-access.html'), 'No API keys are issued.');
			const template = 'Operator:\nBusiness:\nContact email:\nScopes: contact:write\nProgram:';
			const values = { clinic: visitor().clinic, email: longAddress, message: template.replaceAll(/:$/gm, ': x') };
			await page.goto('/contact/api-access');
			await expect(page.locator('#message')).toHaveValue(template);
			await expect(page.locator('#message')).toHaveAccessibleDescription(/patients/);
			await fillIn(page, values, { accessRequest: true });
			await mendAndSend(page, values);
			await expectDelivered(values.clinic, 'asks for API access');
		});
	});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

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
