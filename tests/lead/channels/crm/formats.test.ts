import { expect, test } from 'vitest';
import { origin } from '../../../../src/facts/load.ts';
import { type FormatName, formatFor } from '../../../../src/lead/channels/known-formats.ts';
import { webhook } from '../../../../src/lead/channels/webhook.ts';
import type { WebhookTarget } from '../../../../src/lead/channels/webhook-format.ts';
import type { Judgement } from '../../../../src/lead/spam/judgement.ts';
import { messageOf } from '../../../../src/lead/message/message.ts';
import { startHubspot, startSalesforce } from '../../../support/crm.ts';
import { receivedLead } from '../../../support/lead.ts';
import { targetAt } from '../../../support/target.ts';
import { startWebhookReceiver } from '../../../support/webhook-receiver.ts';

/** Returns a function that sends a lead that came so many days ago. */
const sendAs =
	(name: FormatName, spam?: Judgement) =>
	(url: string, fields: Parameters<typeof receivedLead>[0] = {}, crmFields: WebhookTarget['crmFields'] = {}, days = 0) => {
		const receivedAt = new Date(Date.now() - days * 24 * 3600_000).toISOString();
		const target = targetAt(url, { crmFields });
		const message = messageOf({ ...receivedLead(fields), receivedAt }, { spam });
		return webhook(name, formatFor(target.url, name), target).send(message, new AbortController().signal);
	};
const send = sendAs('hubspot');
const sendMarked = sendAs('salesforce', { verdict: 'marked', signals: ['disposable'] });

const { name, clinic: company, email, phone, country } = receivedLead().lead;

test('Salesforce gets a lead as a form, with why it looks like spam, and confirms nothing', async () => {
	await using crm = await startSalesforce();
	expect(await sendMarked(crm.url, { message: 'Grüße' })).toEqual({ ok: true, note: 'taken, unconfirmed' });
	const description: unknown = expect.stringMatching(/^Looks like spam: .+\nGrüße$/);
	expect(crm.made).toEqual([{ last_name: name, company, email, phone, country, description, oid: '00D000000000001' }]);
});

test('Salesforce gets what it needs for a lead whatever the setting says, and nothing that is too long for it', async () => {
	await using crm = await startSalesforce();
	await sendMarked(crm.url, {}, { name: '00N000000000001', clinic: '', source: 'lead_source' });
	expect(crm.made[0]).toMatchObject({ last_name: name, company, '00N000000000001': name, lead_source: '/contact' });
	const long = { name: 'N'.repeat(120), email: `${'a'.repeat(60)}@${'b'.repeat(30)}.example` };
	await sendMarked(crm.url, { ...long, message: 'Hello' });
	const description: unknown = expect.stringContaining(`Hello\n${long.name}\n${long.email}`);
	expect(crm.made[1]).toMatchObject({ last_name: `${'N'.repeat(79)}…`, description });
	expect(crm.made[1]).not.toHaveProperty('email');
});

test('HubSpot gets a lead as a contact, with its page and time, and the words of its consent', async () => {
	await using form = await startHubspot();
	expect(await send(form.url, { message: 'Hello', source: '/de/contact' })).toEqual({ ok: true });
	const values = { lastname: name, company, email, phone, country, message: 'Hello' };
	expect(form.taken).toEqual([
		{
			fields: Object.entries(values).map(([name, value]) => ({ objectTypeId: '0-1', name, value })),
			submittedAt: expect.stringMatching(/^\d{13}$/),
			context: { pageUri: `${origin}/de/contact`, pageName: '/de/contact' },
			legalConsentOptions: { consent: { consentToProcess: true, text: 'I agree.', communications: [] } },
		},
	]);
});

test('HubSpot gets no page that a visitor made up, and no time that it would refuse', async () => {
	await using form = await startHubspot();
	await send(form.url, { source: '/contact?topic=plans' });
	expect(form.taken.splice(0)).toMatchObject([{ context: { pageUri: `${origin}/contact?topic=plans` } }]);
	for (const source of ['/\\[x]', 'newsletter', '//other.example', '']) await send(form.url, { source });
	expect(form.taken.map(({ context }) => context?.pageUri)).toEqual([undefined, undefined, undefined, undefined]);
	expect(await send(form.url, {}, {}, 40)).toEqual({ ok: true });
	expect(form.taken.at(-1)).not.toHaveProperty('submittedAt');
});

test('HubSpot gets fields under other names, on other objects, together or not at all, as the setting says', async () => {
	await using form = await startHubspot(['email', 'firstname', '0-2/name', 'message']);
	const crmFields = { name: 'firstname', clinic: '0-2/name', phone: 'message', country: '' };
	expect(await send(form.url, { message: 'Hello' }, crmFields)).toEqual({ ok: true });
	const { fields } = form.taken[0]!;
	expect(fields).toContainEqual({ objectTypeId: '0-2', name: 'name', value: company });
	expect(fields).toContainEqual({ objectTypeId: '0-1', name: 'message', value: `${phone}\nHello` });
});

test('HubSpot says which field its form lacks, and which it misses', async () => {
	await using form = await startHubspot(['0-2/city', 'email', 'lastname', 'company', 'phone', 'country']);
	const reason =
		`HTTP 400 FIELD_NOT_IN_FORM_DEFINITION: Error in 'fields.message'. 'message' not present in form definition; ` +
		`REQUIRED_FIELD: Error in 'fields.0-2/city'. Required field '0-2/city' is missing`;
	expect(await send(form.url)).toEqual({ ok: false, permanent: true, reason });
});

test.each([
	[
		"INVALID_EMAIL: Error in 'fields.email'. Invalid email address …",
		`Error in 'fields.email'. Invalid email address 'o' brien@x'`,
	],
	["INVALID_NUMBER: Error in 'fields.x'. Invalid number …", `Error in 'fields.x'. Invalid number Ana Ruiz`],
	['INVALID_HUTK: … is not a valid Hutk', `'Ana' is not a valid Hutk`],
	[
		`HAS_RECAPTCHA: Form … can't receive API submissions as Captcha (SPAM`,
		`Form '5ec2' can't receive API submissions as Captcha (SPAM`,
	],
	['', 'Ana Ruiz'],
])('HubSpot’s refusal is told without what it quotes, a visitor or the form: %s', async (said, message) => {
	const errors = [{ message, errorType: said.split(':', 1)[0] || 'Ana Ruiz' }];
	await using form = await startWebhookReceiver({ status: 400, body: JSON.stringify({ message: 'Ana Ruiz', errors }) });
	expect(await send(form.url)).toEqual({ ok: false, permanent: true, reason: `HTTP 400 ${said || '…'}` });
});

test.each([
	[send, 404, '{"status":"error","message":"Form not found"}', true, 'HTTP 404 Form not found'],
	[send, 429, '', false, 'HTTP 429'],
	[send, 503, '<html>', false, 'HTTP 503'],
	[send, 200, '<html>Sign in', false, 'HTTP 200 without JSON'],
	[sendMarked, 404, '', true, 'HTTP 404'],
	[sendMarked, 503, '', false, 'HTTP 503'],
])('%o has not delivered where the answer is %i with %s', async (sending, status, body, permanent, reason) => {
	await using crm = await startWebhookReceiver({ status, body });
	expect(await sending(crm.url)).toEqual({ ok: false, permanent, reason });
});
