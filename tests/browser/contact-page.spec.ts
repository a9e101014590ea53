import { boxOf } from './box.ts';
import { expect, test } from './test.ts';

const desktop = { width: 1440, height: 900 };

test.describe('on a desktop', () => {
	test.use({ viewport: desktop });

	test('all of the form is on the first screen, with what happens next beside it', async ({ page }) => {
		await page.goto('/contact');
		const [steps, form] = [await boxOf(page.locator('.steps')), await boxOf(page.locator('form'))];
		expect(form.y + form.height).toBeLessThanOrEqual(desktop.height);
		expect(steps.x + steps.width).toBeLessThan(form.x);
		expect(steps.y + steps.height).toBeLessThan(form.y + form.height);
	});
});

test('who reads a message, from where the answer comes and how fast is said before it is sent and after', async ({ page }) => {
	for (const path of ['/contact', '/contact/thanks']) {
		await page.goto(path);
		await expect(page.locator('.steps').getByRole('listitem')).toHaveText([
			/A person from our sales team/,
			/from sales@/,
			/within one working day/,
		]);
	}
	// The page after the form offers one next step.
	await expect(page.locator('main .action')).toHaveCount(1);
});

test('a message that is nearly full says what room is left, one that is too long by how much, and nothing moves', async ({
	page,
}) => {
	await page.goto('/contact');
	const message = page.locator('#message');
	const counter = page.locator('.counter');
	const heard = page.locator('.field > [aria-live]');
	await message.fill('x'.repeat(4499));
	await expect(counter).toBeEmpty();
	const before = await boxOf(page.getByRole('checkbox'));

	for (const [length, said] of [
		[4500, '500 characters left'],
		[4999, '1 character left'],
		[5012, '12 characters too many'],
	] as const) {
		await message.fill('é'.repeat(length));
		await expect(counter).toHaveText(said);
		await expect(heard).toHaveText(said);
	}
	await message.fill('x'.repeat(4499));
	await expect(counter).toBeEmpty();
	await expect(heard).toBeEmpty();
	await message.fill('x'.repeat(4999));
	expect(await boxOf(page.getByRole('checkbox'))).toEqual(before);
});

test('room is counted as the server does: a character beyond U+FFFF is one, and white space around the text is none', async ({
	page,
}) => {
	await page.goto('/contact');
	await page.locator('#message').fill(`${'🌿'.repeat(4990)}\n\n`);
	await expect(page.locator('.counter')).toHaveText('10 characters left');
});

test('a draft that is nearly full is counted as soon as it is back', async ({ page }) => {
	await page.goto('/contact');
	await page.locator('#message').fill('x'.repeat(4990));
	await page.reload();
	await expect(page.locator('.counter')).toHaveText('10 characters left');
});
