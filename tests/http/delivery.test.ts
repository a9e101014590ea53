import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { formOf, lead, postBody } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('a lead reaches mail and chat alike', async () => {
	await using smtp = await startSmtpServer();
	await using chat = await startWebhookReceiver();
	await using server = await startServer({
		...smtp.settings,
		LEAD_WEBHOOK_URL: chat.url,
		LEAD_WEBHOOK_FORMAT: 'slack',
	});
	expect((await postBody(server.url, lead)).status).toBe(200);
	await chat.received(1);
	await expect.poll(() => smtp.mails).toHaveLength(1);
	expect(smtp.mails[0]).toMatchObject({ from: 'website@website.test', to: ['sales@website.test'] });
	expect(smtp.mails[0]!.parsed.replyTo).toEqual([{ name: lead.name, address: lead.email }]);
	expect(chat.requests[0]!.body).toContain(lead.clinic);
});

test('without delivery a valid lead is 503, a wrong one 422, and a honeypot hit 200', async () => {
	await using server = await startServer();
	const statuses = [
		await postBody(server.url, lead),
		await postBody(server.url, {}),
		await postBody(server.url, { website: 'x' }),
	].map(({ status }) => status);
	expect(statuses).toEqual([503, 422, 200]);
	await server.process.printed(/no delivery is configured/);
});

test('a visitor whose form we cannot take gets it back with an apology and a mail link', async () => {
	await using server = await startServer();
	const body = formOf({ ...lead, message: 'Please call' });
	const response = await fetch(`${server.url}/api/contact`, { method: 'POST', body });
	const html = await response.text();
	expect(response.status).toBe(503);
	expect(html).toContain('Please call');
	expect(html).toContain('mailto:');
});

test('beyond the rate limit a client is told when to come back, and others are not', async () => {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_WEBHOOK_URL: receiver.url, LEAD_RATE_LIMIT: '2/10m', TRUST_PROXY: '1' });
	const send = (address: string) => postBody(server.url, { ...lead, message: randomUUID() }, { 'x-forwarded-for': address });
	const [first, second, third] = [await send('192.0.2.1'), await send('192.0.2.1'), await send('192.0.2.1')];
	expect([first.status, second.status, third.status, (await send('192.0.2.2')).status]).toEqual([200, 200, 429, 200]);
	expect(first.headers.get('ratelimit-policy')).toBe('"default";q=2;w=600');
	expect(first.headers.get('ratelimit')).toMatch(/^"default";r=1;t=\d+$/);
	expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
	await receiver.received(3);
});

test('without a store, one channel that fails does not lose the lead, and the log names it without the lead', async () => {
	await using broken = await startWebhookReceiver({ status: 500 });
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: `${broken.url} ${receiver.url}` });
	expect((await postBody(server.url, lead)).status).toBe(200);
	expect(receiver.requests).toHaveLength(1);
	await server.process.printed(/Not delivered/);
	const failure = { level: 'error', channel: expect.stringMatching(/^json:127\.0\.0\.1/), reason: 'HTTP 500' };
	expect(server.process.log).toContainEqual(expect.objectContaining(failure));
	expect(server.process.output).not.toMatch(/Ana|clinicasol/);
});

test('without a store, a lead that no channel takes is 503', async () => {
	await using broken = await startWebhookReceiver({ status: 500 });
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: broken.url });
	expect((await postBody(server.url, lead)).status).toBe(503);
});

test('a form from another site’s page is refused, JSON from anywhere is taken', async () => {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_WEBHOOK_URL: receiver.url });
	const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' };
	const form = await fetch(`${server.url}/api/contact`, { method: 'POST', body: formOf(lead), headers: foreign });
	expect([form.status, form.headers.get('content-type')]).toEqual([403, 'application/problem+json']);
	expect((await postBody(server.url, lead, foreign)).status).toBe(200);
	await receiver.received(1);
});
