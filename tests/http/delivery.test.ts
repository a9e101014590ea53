import { expect, test } from 'vitest';
import { startStoring } from '../support/lead-places.ts';
import { newLead, postBody, postForm, postLead } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('a lead goes to the recipients of the first route that it matches, or else to the others', async () => {
	await using smtp = await startSmtpServer();
	const ofPlaces = 'country=DE:dach@firm.test,north@firm.test lang=pt:iberia@firm.test';
	const ofSources = 'source=api-access:dev@firm.test source=/contact?topic=plans:plans@firm.test source=/contact:web@firm.test';
	const LEAD_EMAIL_ROUTES = `${ofPlaces} ${ofSources}`;
	await using server = await startServer({ ...smtp.settings, LEAD_STORE: 'none', LEAD_EMAIL_ROUTES });
	const sales = ['sales@website.test'];
	const germany = ['dach@firm.test', 'north@firm.test'];
	const recipients: [fields: Record<string, string>, to: string[]][] = [
		[{}, sales],
		[{ country: 'DE', lang: 'pt', source: 'api-access' }, germany],
		[{ country: ' germany.' }, germany],
		[{ country: 'Alemania', lang: 'es' }, germany],
		// In the visitor's language, which is none of the site's.
		[{ country: 'Germanujo', lang: 'eo' }, germany],
		[{ country: 'Germanujo', lang: 'not a tag' }, sales],
		[{ country: 'Deutschlandsberg' }, sales],
		[{ lang: 'pt-BR', source: 'api-access' }, ['iberia@firm.test']],
		[{ lang: 'ptx' }, sales],
		[{ source: 'api-access' }, ['dev@firm.test']],
		[{ source: '/api-access' }, sales],
		[{ source: '/contact' }, ['web@firm.test']],
		[{ source: '/contact?topic=payg' }, ['web@firm.test']],
		[{ source: '/contact?topic=plans' }, ['plans@firm.test']],
		[{ source: '/contacts' }, sales],
	];
	for (const [fields, to] of recipients) {
		await postLead(server.url, fields);
		const mails = smtp.mails.splice(0);
		expect(mails.map((mail) => mail.to.join()).toSorted()).toEqual(to);
		for (const { parsed } of mails) expect(parsed.to!.map(({ address }) => address)).toEqual(to);
	}
	expect(server.process.output).not.toContain('firm.test');
});

test('the page of a form names in its address what it is about; other words there are not the visitor’s', async () => {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	const sourceOn = async (query: string) => {
		const headers = { accept: 'text/html', referer: `${server.url}/contact${query}` };
		await postForm(server.url, { ...newLead(), source: '/contact', website: '' }, headers);
		return (JSON.parse(receiver.requests.at(-1)!.body) as { data: { source: string } }).data.source;
	};
	expect(await sourceOn('?topic=/docs')).toBe('/contact?topic=%2Fdocs');
	expect(await sourceOn('?topic=/docs/errors/rate-limited')).toBe('/contact?topic=%2Fdocs%2Ferrors%2Frate-limited');
	for (const topic of ['plans', '/docs/call%20555', '/docsand/more', `/docs/${'x'.repeat(61)}`, 'Call+555'])
		expect([topic, await sourceOn(`?topic=${topic}`)]).toEqual([topic, '/contact']);
});

test('without a store, one channel that fails does not lose the lead, and the log names it without the lead', async () => {
	await using broken = await startWebhookReceiver({ status: 500 });
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: `${broken.url} ${receiver.url}` });
	expect((await postLead(server.url)).status).toBe(200);
	expect(receiver.requests).toHaveLength(1);
	const failed = { level: 'error', channel: expect.stringMatching(/^json:127\.0\.0\.1/), reason: 'HTTP 500' };
	for (const told of [failed, { level: 'info', channel: expect.any(String) }])
		await expect.poll(() => server.process.log).toContainEqual(expect.objectContaining(told));
	expect(server.process.output).not.toMatch(/Ana|clinicasol/);
});

test('a form without the hidden field, which our page always sends, is marked, and no other lead is', async () => {
	await using receiver = await startWebhookReceiver();
	await using stored = await startStoring({ LEAD_WEBHOOK_URL: receiver.url });
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	for (const { url } of [stored.server, server]) {
		await postForm(url, newLead());
		await postForm(url, { ...newLead(), website: '' });
		await postBody(url, newLead());
		await expect.poll(() => receiver.requests).toHaveLength(3);
		const sent = receiver.requests.splice(0).map(({ body }) => JSON.parse(body) as { data: { spam: { signals: string[] } } });
		expect(sent.flatMap(({ data }) => data.spam.signals)).toEqual(['other-form']);
	}
});
