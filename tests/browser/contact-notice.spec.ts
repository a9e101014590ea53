import { expectKept, fillIn, send, visitor } from './contact-page.ts';
import { ports } from './servers.ts';
import { expect, test } from './test.ts';
import { onPhone } from './words.ts';

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
	});

test('a limit that says no time is one of later', async ({ page }) => {
	await page.route('**/api/contact', (route) => route.fulfill({ status: 429 }));
	await page.goto('/contact');
	await fillIn(page);
	await send(page);
	await expect(page.getByRole('alert')).toContainText('Try again later,');
});

test('a corrected field is no longer marked, and the others are', async ({ page }) => {
	await page.goto('/contact');
	await send(page);
	await expect(page.getByRole('alert')).toBeFocused();
	await page.locator('#email').fill('ana@');
	await expect(page.locator('#email')).toHaveAttribute('aria-invalid', 'true');
	await page.locator('#email').fill('ana@clinic.example');
	await page.getByRole('checkbox').check();
	for (const field of ['email', 'consent']) {
		await expect(page.locator(`#${field}`)).not.toHaveAttribute('aria-invalid');
		await expect(page.locator(`#${field}-error`)).toBeEmpty();
	}
	await expect(page.locator('#name')).toHaveAttribute('aria-invalid', 'true');
});

test(
	'an answer that takes long is waited for in words, wherever the page is scrolled to, and then given up',
	onPhone,
	async ({ page }) => {
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
	},
);

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('of what is pasted nothing is cut', async ({ page }) => {
		const values = { ...visitor(), phone: '0'.repeat(60), message: 'm'.repeat(6000) };
		await page.goto('/contact');
		await fillIn(page, values);
		await send(page);
		await expect(page.getByRole('alert').getByRole('listitem')).toHaveText([
			'Use at most 40 characters for “Phone”.',
			'Use at most 5,000 characters for “How can we help?”.',
		]);
		// It has to be corrected first.
		await expect(page.getByRole('button', { name: 'Send again' })).toBeHidden();
		await expectKept(page, values);
	});

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
