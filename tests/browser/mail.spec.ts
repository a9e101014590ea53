import { postLead } from '../support/post-lead.ts';
import { readMaildir } from '../support/maildir.ts';
import { ports } from './servers.ts';
import { expect, phone, test } from './test.ts';

test('the mail to the sales team fits a phone, however long an address in it is', async ({ page }) => {
	const email = `${crypto.randomUUID()}.${'x'.repeat(20)}@${'clinic'.repeat(10)}.${'example'.repeat(8)}.example`;
	await postLead(`http://localhost:${ports.delivering}`, { email, message: `https://clinic.example/${'x'.repeat(200)}` });
	const mails = () => readMaildir(process.env['TEST_MAILBOX']!);
	const mail = async () => (await mails()).find(({ parsed }) => parsed.html?.includes(email));
	await expect.poll(mail).toBeDefined();
	await page.setViewportSize(phone);
	await page.setContent((await mail())!.parsed.html!);
	await expect(page.getByRole('link', { name: email })).toBeVisible();
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
