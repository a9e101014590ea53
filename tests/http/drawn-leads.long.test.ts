import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import type { OpenApi } from '../../src/discovery/openapi.ts';
import { paths } from '../../src/facts/links.ts';
import { drawnLead, type ObjectSchema } from '../support/drawn-lead.ts';
import { postBody } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('the server takes what the published schema accepts, with the format of the address or without', async () => {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_WEBHOOK_URL: receiver.url, LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' });
	const { components } = (await (await fetch(server.url + paths.openapi)).json()) as OpenApi;
	const schema = components.schemas['Lead'] as ObjectSchema;
	// Most validators ignore formats.
	const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
	const withFormats = ajvFormats.default(new Ajv2020({ strict: false })).compile(schema);
	const made = { accepted: 0, others: 0 };

	await fc.assert(
		fc.asyncProperty(drawnLead(schema), async (lead) => {
			const accepted = accepts(lead);
			// The format refuses dots that the HTML standard allows.
			if (withFormats(lead)) expect(accepted).toBe(true);
			made[accepted ? 'accepted' : 'others'] += 1;
			const { status } = await postBody(server.url, lead);
			expect(accepted ? [200] : [200, 422]).toContain(status);
		}),
		{ numRuns: 1000, seed: 1 },
	);
	for (const times of Object.values(made)) expect(times).toBeGreaterThan(100);
});
