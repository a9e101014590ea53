import { describe, expect, test } from 'vitest';
import { NOBODY } from '../support/listening.ts';
import { startBackend } from '../support/lead-places.ts';
import type { LeadValues } from '../support/post-lead.ts';
import { HEADED, REJECTED, rspamdMissing, startRspamd } from '../support/rspamd.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** Takes a lead where this engine is asked. @returns the lead as it is listed, and the log */
async function judged(LEAD_SPAM_URL: string, fields: LeadValues) {
	await using backend = await startBackend({ LEAD_SPAM_URL });
	await backend.take(fields);
	return { lead: (await backend.list())[0]!, log: backend.log };
}

test.skipIf(rspamdMissing)(
	'a lead that rspamd would reject has a strong signal, one that it would mark a weak one, and any other none',
	async () => {
		await using engine = await startRspamd();
		const judgedBy = async (fields: LeadValues) => (await judged(engine.url, fields)).lead;
		expect(await judgedBy({ message: HEADED })).toMatchObject({ spam: { verdict: 'marked', signals: ['engine'] } });
		expect(await judgedBy({ message: 'Do you speak Spanish?' })).toMatchObject({ spam: { verdict: 'clear' } });
		const name = 'Ana, see https://win.example/now';
		expect(await judgedBy({ name, message: HEADED })).toMatchObject({ spam: { verdict: 'marked' } });
		expect(await judgedBy({ name, message: REJECTED })).toMatchObject({ state: 'quarantined', spam: { verdict: 'held' } });
	},
);

describe('without a verdict of the engine a lead is judged by the other signals, within seconds, and the log says so', () => {
	const fields = { name: 'Ana, see https://win.example/now' };

	test.each([
		['it is down', async () => ({ url: `http://${NOBODY}`, async [Symbol.asyncDispose]() {} })],
		['it answers with an error', () => startWebhookReceiver({ status: 500, body: '{"error":"busy"}' })],
		['it answers nonsense', () => startWebhookReceiver({ body: '<html>hello</html>' })],
		['it answers without an action', () => startWebhookReceiver({ body: '{"score":99}' })],
		['it never answers', () => startWebhookReceiver({ until: new Promise(() => {}) })],
	])('because %s', async (_, start) => {
		await using engine = await start();
		const { lead, log } = await judged(new URL(engine.url).origin, fields);
		expect(lead).toMatchObject({ spam: { verdict: 'marked', signals: ['name-address'] } });
		expect(log).toContainEqual(expect.objectContaining({ level: 'warn', lead: lead.id }));
	});
});
