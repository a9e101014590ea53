import { expect, test } from 'vitest';
import { startStoring } from '../support/lead-places.ts';
import { newLead, postBody, postForm, postLead } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('the page of a form names in its address what it is about; other words there are not the visitor’s', async () => {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	const sourceOn = async (query: string) => {
		const headers = { accept: 'text/html', referer: `${server.url}/contact${query}` };
		await postForm(server.url, { ...newLead(), source: '/contact', website: '' }, headers);
		return receiver.events().at(-1)!.data['source'];
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
