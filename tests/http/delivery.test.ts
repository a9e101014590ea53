import { expect, test } from 'vitest';
import { lead, postBody } from '../support/post-lead.ts';
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
