import { paths } from '../../src/service/links.ts';
import { expect, test } from './test.ts';

test.use({ expectedMessages: [/^@scalar\/api-reference@/] });

test('the interactive reference tries the API out with the test key, so that nothing reaches the sales team', async ({
	page,
}) => {
	await page.goto(paths.apiExplorer);
	const sent = page.waitForResponse((response) => response.url().endsWith(paths.submitLead));
	await page
		.getByRole('button', { name: /^Test Request.*contact/i })
		.first()
		.click();
	await page.getByRole('button', { name: /^Send/ }).first().click();
	const answer = await sent;
	expect(answer.status()).toBe(200);
	expect(answer.headers()['test-key']).toBe('?1');
});
