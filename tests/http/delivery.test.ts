import { expect, test } from 'vitest';
import { lead, postBody } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('without a store, one channel that fails does not lose the lead, and the log names it without the lead', async () => {
	await using broken = await startWebhookReceiver({ status: 500 });
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: `${broken.url} ${receiver.url}` });
	expect((await postBody(server.url, lead)).status).toBe(200);
	expect(receiver.requests).toHaveLength(1);
	server.process.signal('SIGTERM');
	await server.process.exit();
	const failure = { level: 'error', channel: expect.stringMatching(/^json:127\.0\.0\.1/), reason: 'HTTP 500' };
	expect(server.process.log).toContainEqual(expect.objectContaining(failure));
	expect(server.process.output).not.toMatch(/Ana|clinicasol/);
});
