import { expect, test } from 'vitest';
import { origin } from '../../src/facts/load.ts';
import { formatFor, webhook } from '../../src/channels/webhook.ts';
import type { Judgement } from '../../src/lead/judgement.ts';
import { messageOf } from '../../src/channels/message.ts';
import { receivedLead, targetAt, team } from '../support/lead.ts';
import { startBackend, startLeadKeeping } from '../support/lead-places.ts';
import { hit, lead } from '../support/post-lead.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const FORM = '/submissions/v3/integration/submit/1234567/5ec2e700-89ab-4def-8123-456789abcdef';

/** The body that HubSpot documents. */
interface Submission {
	fields: Record<'objectTypeId' | 'name' | 'value', string>[];
	context?: { pageUri?: string };
}

/** Starts a form of HubSpot, which refuses an address with an apostrophe. */
async function startHubspot() {
	const taken: Submission[] = [];
	const receiver = await startWebhookReceiver(({ body }) => {
		const submission = JSON.parse(body) as Submission;
		const email = submission.fields.find(({ name }) => name === 'email')!.value;
		if (email.includes("'"))
			return refusal({ errorType: 'INVALID_EMAIL', message: `Error in 'fields.email'. Invalid: '${email}'` });
		taken.push(submission);
		return { body: '{"inlineMessage":"Thanks for submitting the form."}' };
	});
	return { ...receiver, url: new URL(FORM, receiver.url).href, taken };
}

type Fault = Record<'errorType' | 'message', string>;

const refusal = (...errors: Fault[]) => ({ status: 400, body: JSON.stringify({ message: 'Ana Ruiz', errors }) });

/** Sends a lead that came so many days ago. */
function send(url: string, fields: Parameters<typeof receivedLead>[0] = {}, spam?: Judgement, days = 0) {
	const receivedAt = new Date(Date.now() - days * 24 * 3600_000).toISOString();
	const target = targetAt(url);
	const message = messageOf({ ...receivedLead(fields), receivedAt }, team, { spam });
	return webhook('hubspot', formatFor(target.url, 'hubspot'), target).send(message, new AbortController().signal);
}

const { name, clinic: company, email, phone, country } = receivedLead().lead;

test('HubSpot gets a lead as a contact, with why it looks like spam, its page and time, and the words of its consent', async () => {
	await using form = await startHubspot();
	const marked: Judgement = { verdict: 'marked', signals: ['disposable'] };
	expect(await send(form.url, { message: 'Spam: none\nHello', source: '/de/contact' }, marked)).toEqual({ ok: true });
	expect(form.requests[0]).toMatchObject({ path: FORM, headers: { 'content-type': 'application/json' } });
	const message = expect.stringMatching(/^Message:\n {2}Spam: none\n {2}Hello\n\nLooks like spam: .+$/) as string;
	const values = { lastname: name, company, email, phone, country, message };
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
	expect(await send(form.url, {}, undefined, 40)).toEqual({ ok: true });
	expect(form.taken.at(-1)).not.toHaveProperty('submittedAt');
});

const lacks = { errorType: 'FIELD_NOT_IN_FORM_DEFINITION', message: `Error in 'fields.message'. It is not in the form` };
const misses = { errorType: 'REQUIRED_FIELD', message: `Error in 'fields.0-2/city'. Required field '0-2/city' is missing` };

test.each<[said: string, ...errors: Fault[]]>([
	['FIELD_NOT_IN_FORM_DEFINITION message, REQUIRED_FIELD 0-2/city', lacks, misses],
	['INVALID_EMAIL email', { errorType: 'INVALID_EMAIL', message: `Error in 'fields.email'. Invalid email address 'o' brien@x'` }],
	['INVALID_HUTK', { errorType: 'INVALID_HUTK', message: `'Ana' is not a valid Hutk` }],
	['…', { errorType: 'Ana Ruiz', message: 'Ana Ruiz' }],
])('HubSpot’s refusal is told with its fields, and without the words that it quotes: %s', async (said, ...errors) => {
	await using form = await startWebhookReceiver(refusal(...errors));
	expect(await send(form.url)).toEqual({ ok: false, outlook: 'lasting', reason: `HTTP 400 ${said}` });
});

test('HubSpot has not taken a lead where something else answers', async () => {
	await using proxy = await startWebhookReceiver({ status: 200, body: '<html>Sign in' });
	expect(await send(proxy.url)).toEqual({ ok: false, outlook: 'passing', reason: 'HTTP 200 without JSON' });
});

const to = (people: { url: string }, { url }: { url: string }) => ({
	LEAD_WEBHOOK_URL: `${people.url} ${url}`,
	LEAD_WEBHOOK_FORMAT: 'json hubspot',
});

test('HubSpot gets leads only, also one that was held; people get the news, also of what it refuses', async () => {
	await using crm = await startHubspot();
	await using people = await startWebhookReceiver();
	await using backend = await startBackend({ ...to(people, crm), LEAD_RETRY: '1h' });
	const told = () => people.events().map(({ type }) => type);
	await backend.take({ message: 'secret', email: "o'secret@clinicasol.example" });
	const [refused] = await backend.list('--state', 'waiting');
	const { stdout } = await backend.leads('show', refused!.id);
	expect(stdout).toMatch(/^hubspot:\S+ +waiting .* HTTP 400 INVALID_EMAIL email$/m);
	expect(JSON.stringify(backend.log)).not.toMatch(/secret|5ec2e7/);

	await backend.quarantine(hit);
	const [held] = await backend.list('--state', 'quarantined');
	expect([told(), crm.requests.length]).toEqual([['lead.received', 'channel.failing', 'leads.quarantined'], 1]);
	await backend.leads('release', held!.id);
	await backend.tryDue();
	const lastname = { objectTypeId: '0-1', name: 'lastname', value: lead.name };
	expect([crm.taken, crm.requests.length]).toMatchObject([[{ fields: expect.arrayContaining([lastname]) }], 2]);
});

test('a test makes a contact only if the operator wants that', async () => {
	await using crm = await startHubspot();
	await using people = await startWebhookReceiver();
	await using keeping = await startLeadKeeping(to(people, crm));
	const [without, wanted] = [await keeping.leads('test'), await keeping.leads('test', '--crm')];
	expect([without.code, without.stdout]).toEqual([0, expect.stringMatching(/^hubspot:\S+ was left out: .* add --crm/m)]);
	expect([wanted.code, wanted.stdout]).toEqual([0, expect.stringMatching(/^hubspot:\S+ +ok$/m)]);
	expect(crm.taken).toHaveLength(1);
});
