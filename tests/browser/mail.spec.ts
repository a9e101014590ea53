import { postLead } from '../support/post-lead.ts';
import { deliveredAbout } from './contact-page.ts';
import { expect, phone, test } from './test.ts';

test('the mail to the sales team fits a phone, however long an address in it is', async ({ page }) => {
	const clinic = crypto.randomUUID();
	const email = `${'x'.repeat(50)}@${'clinic'.repeat(10)}.${'example'.repeat(8)}.example`;
	await postLead(process.env['TEST_URL']!, { clinic, email, message: `https://clinic.example/${'x'.repeat(200)}` });
	await page.setViewportSize(phone);
	await page.setContent((await deliveredAbout(clinic)).html!);
	await expect(page.getByRole('link', { name: email })).toBeVisible();
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
});
