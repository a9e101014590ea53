import { existsSync } from 'node:fs';
import { expectDelivered, expectKept, fillIn, longAddress, send, visitor } from './contact-page.ts';
import { expect, test } from './test.ts';

const path = '/contact/api-access';
const template = 'Operator:\nBusiness:\nContact email:\nScopes: contact:write\nProgram:';

test.skip(!existsSync('var/test/dist/client/contact/api-access.html'), 'No API keys are issued.');

/** Returns a request with every line of the message completed. */
function operator() {
	const { name, clinic, email } = visitor();
	const lines = [`Operator: ${name}`, `Business: ${clinic}`, `Contact email: ${email}`, 'Scopes: contact:write', 'Program: Bot'];
	return { name, clinic, email, message: lines.join('\n') };
}

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
		test.use({ javaScriptEnabled, expectedMessages: [/Failed to load resource/] });

		test('a request for API access is asked for what it must state, stays one with errors, and reaches the team', async ({
			page,
		}) => {
			const values = { ...operator(), email: longAddress };
			await page.goto(path);
			await expect(page.locator('#message')).toHaveValue(template);
			await expect(page.locator('#message')).toHaveAccessibleDescription(/patients/);
			await fillIn(page, values, { accessRequest: true });
			await send(page);
			await expect(page.getByRole('alert')).toBeFocused();
			await expect(page).toHaveTitle(/^Error: Ask for API access/);
			await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ask for API access');
			await expectKept(page, values);
			await page.locator('#email').fill('ana@clinicasol.example');
			await send(page);
			await expect(page).toHaveURL('/contact/thanks');
			await expectDelivered(values.clinic, 'asks for API access');
		});
	});
