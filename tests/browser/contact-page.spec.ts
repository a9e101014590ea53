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
