import type { Route } from 'playwright/test';
import { enteredFields } from '../../src/lead/lead.ts';
import { postLead } from '../support/post-lead.ts';
import { deliveredAbout, expectKept, fillIn, longAddress, send, visitor } from './contact-page.ts';
import { expect, expectAccessible, phone, test, testWithoutScripts } from './test.ts';
import { copyIn, withKeys } from './words.ts';

test.use({ expectedMessages: [/Failed to load resource/] });

test('the keyboard is enough and never in the trap for robots, and going back finds an empty form', async ({ page, baseURL }) => {
	const values = visitor();
	const trap = copyIn('en').fields['website']!.label!;
	await page.goto('/contact', { referer: `${baseURL}/docs` });
	await expect(page.getByText(trap)).toBeAttached();
	await expect(page.locator('#website')).not.toBeInViewport();
	// So autofill and the schemas that agents read leave it out.
	await expect(page.locator('#website')).not.toBeEditable();
	await expect(page.getByRole('textbox', { name: trap })).toHaveCount(0);
	await page.locator('#name').focus();
	for (const { name, kind } of enteredFields) {
		// In a list this is its first value.
		await (kind === 'select' ? page.keyboard.press('ArrowDown') : page.keyboard.insertText(values[name]!));
		await page.keyboard.press('Tab');
	}
	await page.keyboard.press('Space');
	await page.keyboard.press('Tab');
	await expect(page.getByRole('link', { name: copyIn('en').privacyLink })).toBeFocused();
	await page.keyboard.press('Tab');
	await expect(page.getByRole('button', { name: 'Send message' })).toBeFocused();
	await page.locator('#clinic').evaluate((field: HTMLInputElement) => {
		addEventListener('beforeunload', () => (localStorage['clinic'] = field.value));
	});
	await page.keyboard.press('Enter');

	await expect(page).toHaveURL('/contact/thanks');
	expect(await page.evaluate(() => localStorage['clinic']), 'nothing goes while the next page is loading').toBe(values.clinic);
	// Screen readers say it first.
	await expect(page).toHaveTitle(new RegExp(`^${copyIn('en').thanks.sent.title} · `));
	const { text } = await deliveredAbout(values.clinic);
	await expect(page.locator('#sent')).toContainText(values.email);
	await expect(page.locator('#sent')).toContainText(/Reference: (\S+)/.exec(text!)![1]!);
	expect(text, 'our own site sent nobody').toContain('Source: /contact\n');
	await page.goBack();
	await expect(page.locator('#clinic')).toHaveValue('');
	await fillIn(page);
	await send(page);
	await expect(page).toHaveURL('/contact/thanks');
});

test('sent again after a lost answer or a reload it is one lead, corrected another; both name their card', async ({ page }) => {
	const [values, corrected] = [visitor(), visitor()];
	const lose = async (route: Route) => (await route.fetch(), route.fulfill({ status: 502 }));
	await page.route('**/api/contact', lose, { times: 3 });
	await page.goto('/?utm_campaign=spring', { referer: 'https://search.example/find' });
	await page.getByRole('link', { name: 'Ask for a price' }).first().click();
	await expect(page.getByRole('heading', { level: 1, name: 'Ask for a price' })).toBeVisible();
	await fillIn(page, values);
	await send(page);
	await page.getByRole('button', { name: 'Send again' }).click();
	await page.reload();
	await fillIn(page, values);
	await send(page);
	// Without an event, as some extensions fill in forms.
	await page.locator('#clinic').evaluate((field, clinic) => Object.assign(field, { value: clinic }), corrected.clinic);
	await send(page);
	await expect(page).toHaveURL('/contact/thanks');
	await deliveredAbout(corrected.clinic);
	// Who was thanked, and writes the same again, wants the team to know.
	await page.goBack();
	await expect(page.locator('.scripted')).toBeVisible();
	await fillIn(page, { ...values, clinic: corrected.clinic });
	await send(page);
	await expect(page).toHaveURL('/contact/thanks');
	await deliveredAbout(corrected.clinic, 2);
	const from = '/contact?topic=payg, came from search.example, campaign spring, first page /';
	for (const [{ clinic }, count] of [
		[values, 1],
		[corrected, 2],
	] as const) {
		const { text } = await deliveredAbout(clinic, count);
		expect(text).toMatch(/^Ask for a price: Pay as you go\n/);
		expect(text).toContain(from);
	}
});

test('where no script may send, the page sends the form itself at the second try, as one lead', async ({ page, context }) => {
	const values = visitor();
	let tries = 0;
	await page.route('**/api/contact', async (route) => {
		if (route.request().resourceType() !== 'fetch') return route.continue();
		tries += 1;
		// The first arrives all the same.
		if (tries === 1) await route.fetch();
		return route.abort('blockedbyclient');
	});
	await page.goto('/contact');
	const earlier = { reference: '7Q4F-K2M9', email: 'earlier@clinic.example' };
	await page.evaluate((sent) => Object.assign(sessionStorage, { sent }), JSON.stringify(earlier));
	await fillIn(page, values);
	await send(page);
	await expect(page.getByRole('alert')).toBeFocused();
	// A browser that is offline would leave the page for one of its own.
	await context.setOffline(true);
	for (const _ of ['second', 'third']) {
		await page.getByRole('button', { name: 'Send again' }).click();
		await expect(page.getByRole('alert')).toBeFocused();
	}
	await context.setOffline(false);
	await send(page);
	await expect(page).toHaveURL('/contact/thanks');
	await expect(page.getByRole('heading', { level: 1, name: copyIn('en').thanks.title })).toBeVisible();
	await expect(page.getByText(earlier.email)).toHaveCount(0);
	await deliveredAbout(values.clinic);
});

test('an extension that fills in the trap, and adds a button, hides no mistake and no progress', async ({ page }) => {
	await page.addInitScript(() => {
		const fill = () => {
			const form = document.querySelector('#contact-form > button')?.parentElement;
			if (!form) return;
			watcher.disconnect();
			form.append(Object.assign(document.createElement('button'), { type: 'button', textContent: 'Fill in' }));
			form.querySelector<HTMLInputElement>('#website')!.value = 'https://clinic.example';
		};
		const watcher = new MutationObserver(fill);
		watcher.observe(document, { childList: true, subtree: true });
	});
	await page.goto('/contact');
	await expect(page.getByRole('button', { name: 'Fill in' })).toBeVisible();
	await send(page);
	await expect(page.getByRole('alert').getByRole('link')).toHaveCount(4);
	await fillIn(page);
	await page.route('**/api/contact', async (route) => {
		await expect(page.getByRole('button', { name: 'Sending…' })).toHaveClass('action');
		expect(new URLSearchParams(route.request().postData()!).get('website')).toBe('https://clinic.example');
		return route.continue();
	});
	await send(page);
	await expect(page).toHaveURL('/contact/thanks');
});

test('a mistyped provider is asked about, and the form may be sent as it is', async ({ page }) => {
	const right = 'zahnarztpraxismuellerluedenscheidt@gmail.com';
	const typed = right.replace('gmail', 'gmial');
	await page.setViewportSize(phone);
	await page.goto('/contact');
	const question = page.getByRole('button', { name: `Did you mean ${right}?` });
	await page.locator('#email').fill(typed);
	await expect(question).toBeVisible();
	const spoken = page.getByRole('status').first();
	await expect(spoken).toHaveText(`Did you mean ${right}?`);
	await expectAccessible(page);
	await question.click();
	await expect(spoken).toHaveText('');
	await expect(page.locator('#email')).toHaveValue(right);
	await expect(page.locator('#email')).toBeFocused();
	await expect(question).toHaveCount(0);
	await fillIn(page, { email: typed });
	await page.locator('#email').blur();
	await expect(question).toBeVisible();
	await send(page);
	await expect(page).toHaveURL('/contact/thanks');
});

test('a link fills in the form with what an assistant has heard, but never agrees', async ({ page }) => {
	const { clinic } = visitor();
	const heard = { name: 'Ana <b>', clinic, message: 'One\nTwo' };
	await page.goto(`/de/contact#${new URLSearchParams({ ...heard, consent: 'on', website: 'x' })}`);
	await expectKept(page, { ...heard, email: '', website: '' });
	await expect(page.locator('#consent')).not.toBeChecked();
	await expect(page).toHaveURL('/de/contact');
	await expect(page.getByText(copyIn('de').filled)).toBeVisible();
});

test('a browser’s agent has one tool: it fills in what is empty, neither agrees nor sends, knows no trap', async ({ page }) => {
	await page.addInitScript(() => {
		const tools: unknown[] = [];
		Object.assign(document, { modelContext: { tools, registerTool: (tool: unknown) => tools.push(tool) } });
	});
	let requests = 0;
	await page.route('**/api/contact', (route) => ((requests += 1), route.abort()));
	await page.goto('/contact');
	await page.locator('#country').fill('Spain');
	const tool = await page.waitForFunction(() => Reflect.get(Reflect.get(document, 'modelContext'), 'tools')[0] as Tool);
	const { name, names } = await tool.evaluate(({ name, inputSchema }) => ({ name, names: Object.keys(inputSchema.properties) }));
	expect([name, names]).toEqual(['fill_enquiry', enteredFields.map((field) => field.name)]);
	const { email, message } = visitor();
	const given = { email, message, country: 'France', consent: 'on', website: 'x', source: 'x' };
	const answer = await tool.evaluate(({ execute }, input) => execute(input), given);
	expect(answer).toBe('Filled: email, message. Only the person may agree and send.');
	await expectKept(page, { name: '', clinic: '', email, message: message!, country: 'Spain', website: '' });
	await expect(page.locator('#consent')).not.toBeChecked();
	await expect(page.locator('[name=source]')).toHaveValue('/contact');
	await expect(page.getByText(copyIn('en').filled)).toBeVisible();
	expect(await tool.evaluate(({ execute }) => execute())).toMatch(/^Filled: nothing\./);
	expect(requests).toBe(0);
});

type Tool = { name: string; inputSchema: { properties: object }; execute: (input?: object) => Promise<string> };

test('the browser takes the addresses that the server takes', async ({ page }) => {
	await page.goto('/contact');
	const email = page.locator('#email');
	const right = ["!#$%&'*+-/=?^_`{|}~@a-b.clinic.example", `ana@${'a'.repeat(63)}.b1`, 'ana@клиника.рф'];
	for (const address of ['ana@gmail', 'josé@clinic.example', `ana@${'a'.repeat(64)}.example`, ...right]) {
		await email.fill(address);
		const isTaken = await email.evaluate((field: HTMLInputElement) => field.checkValidity());
		expect([address, isTaken]).toEqual([address, right.includes(address)]);
	}
});

testWithoutScripts('the form comes back with what is wrong, in our words, and is sent', async ({ page }) => {
	const values = { ...visitor(), email: longAddress };
	const notice = page.getByRole('alert');
	await page.goto('/');
	await page.getByRole('link', { name: 'Ask for a price' }).nth(1).click();
	await expect(page).toHaveURL('/contact/plans');
	const title = await page.title();
	expect(title).toContain('Ask for a price');
	await send(page);
	const required = ['name', 'clinic', 'email', 'consent'].map((name) => copyIn('en').errors[`${name}_required`]!);
	await expect(notice.getByRole('link')).toHaveText(required);
	// The browser complains when a field has the focus before the notice can take it.
	await expect(notice).toBeFocused();
	await fillIn(page, values);
	await send(page);

	await expect(notice).toBeFocused();
	await expect(page).toHaveTitle(`Error: ${title}`);
	await page.getByRole('link', { name: copyIn('en').privacyLink }).click();
	await expect(page).toHaveURL('/privacy');
	await page.goBack();
	await expectKept(page, values);
	await expect(page.locator('#consent')).toBeChecked();
	await notice.getByRole('link', { name: 'at most 254 characters' }).click();
	const email = page.locator('#email');
	await expect(email).toBeFocused();
	await expect(email).toHaveAttribute('aria-invalid', 'true');
	await expect(email).toHaveAccessibleDescription(/at most 254 characters/);
	await email.fill('ana@clinicasol.example');
	await send(page);
	await expect(page).toHaveURL('/contact/thanks');
	const { headers, text } = await deliveredAbout(values.clinic);
	expect(text).toContain('/contact?topic=plans');
	// The form has every field of ours.
	expect(headers.find(({ key }) => key === 'x-lead-spam')).toBeUndefined();
});

testWithoutScripts('a request for API access keeps the chosen scopes, and tells them to the team', withKeys, async ({ page }) => {
	const { clinic } = visitor();
	await page.goto('/contact/api-access');
	await expect(page.locator('#message')).toHaveAccessibleDescription(copyIn('en').caution);
	await page.getByLabel('contact:write').uncheck();
	await page.getByLabel('status:read').check();
	await fillIn(page, { clinic, email: longAddress, message: 'It books.' }, { accessRequest: true });
	await send(page);
	await expect(page.getByRole('alert')).toBeFocused();
	await expectKept(page, { message: 'It books.' });
	await page.locator('#email').fill('ana@clinicasol.example');
	await send(page);
	const { subject, text } = await deliveredAbout(clinic);
	expect(subject).toContain('asks for API access');
	expect(text).toMatch(/Scopes: status:read\n +It books\./);
});

test('the mail to the sales team fits a phone, however long an address in it is', async ({ page }) => {
	const clinic = crypto.randomUUID();
	const email = `${'x'.repeat(50)}@${'clinic'.repeat(10)}.${'example'.repeat(8)}.example`;
	await postLead(process.env['TEST_URL']!, { clinic, email, message: `https://clinic.example/${'x'.repeat(200)}` });
	await page.setViewportSize(phone);
	await page.setContent((await deliveredAbout(clinic)).html!);
	await expect(page.getByRole('link', { name: email })).toBeVisible();
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
});
