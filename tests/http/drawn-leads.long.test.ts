import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { paths } from '../../src/facts/links.ts';
import { description, differencesOf } from '../support/described-answer.ts';
import { drawnLead, type ObjectSchema } from '../support/drawn-lead.ts';
import { postBody } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('the server takes what the published schema accepts, and answers anything as is described', async () => {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_WEBHOOK_URL: receiver.url, LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' });
	const schema = description.components.schemas['Lead'] as ObjectSchema;
	// Most validators ignore formats.
	const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
	const withFormats = ajvFormats.default(new Ajv2020({ strict: false })).compile(schema);
	const made = { accepted: 0, others: 0 };

	await fc.assert(
		fc.asyncProperty(fc.oneof({ weight: 8, arbitrary: drawnLead(schema) }, fc.jsonValue()), async (lead) => {
			const accepted = accepts(lead);
			// The format refuses dots that the HTML standard allows.
			if (withFormats(lead)) expect(accepted).toBe(true);
			made[accepted ? 'accepted' : 'others'] += 1;
			const response = await postBody(server.url, lead as object);
			const { status, headers } = response;
			expect(accepted ? [200] : [200, 422]).toContain(status);
			expect(differencesOf({ status, headers, body: await response.text() }, paths.submitLead, 'post')).toEqual([]);
		}),
		{ numRuns: 1000 },
	);
	for (const times of Object.values(made)) expect(times).toBeGreaterThan(100);
});
