import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import type { OpenApi } from '../../src/discovery/openapi.ts';
import { paths } from '../../src/facts/links.ts';
import { drawnLead, type ObjectSchema } from '../support/drawn-lead.ts';
import { postBody } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

type Values = Record<string, unknown>;

test('the server takes what the published schema accepts, and of the rest what its description says', async () => {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_WEBHOOK_URL: receiver.url, LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' });
	const { components } = (await (await fetch(server.url + paths.openapi)).json()) as OpenApi;
	const schema = components.schemas['Lead'] as ObjectSchema;
	const accepts = validatorOf(schema);
	const made = { accepted: 0, lenient: 0, trapped: 0, refused: 0 };

	await fc.assert(
		fc.asyncProperty(drawnLead(schema), async (lead) => {
			const { status } = await postBody(server.url, lead);
			const kind = kindOf(lead, status);
			made[kind] += 1;
			expect(status).toBe(kind === 'refused' ? 422 : 200);
		}),
		{ numRuns: 1000, seed: 1 },
	);
	for (const times of Object.values(made)) expect(times).toBeGreaterThan(20);

	function kindOf(lead: Values, status: number): keyof typeof made {
		if (isTrapped(lead)) return 'trapped';
		if (accepts(lead)) return 'accepted';
		const lenient = [nullIsAbsence, cleaned, asciiDomain].reduce((changed, leniency) => leniency(changed, schema), lead);
		return status === 200 && accepts(lenient) ? 'lenient' : 'refused';
	}
});

/** Validates with the format and without it, as most validators do: the results must be equal. */
function validatorOf(schema: ObjectSchema): (lead: Values) => boolean {
	const loose: ValidateFunction = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
	const strict: ValidateFunction = ajvFormats.default(new Ajv2020({ strict: false })).compile(schema);
	return (lead) => {
		const accepted = loose(lead);
		expect(strict(lead)).toBe(accepted);
		return accepted;
	};
}

/** Returns whether the lead is answered as if it had been taken. */
const isTrapped = ({ website }: Values) => typeof website === 'string' && website !== '';

/** Applies the first leniency. */
const nullIsAbsence = (lead: Values, { required }: ObjectSchema): Values =>
	Object.fromEntries(Object.entries(lead).filter(([name, value]) => (value !== null && value !== '') || required.includes(name)));

/** Applies the second leniency, as far as it goes. */
const cleaned = (lead: Values, { properties }: ObjectSchema): Values =>
	Object.fromEntries(
		Object.entries(lead).map(([name, value]) => {
			const isText = typeof value === 'string' && Object.hasOwn(properties, name) && properties[name]!.maxLength !== undefined;
			return [name, isText ? cleanedText(value) : value];
		}),
	);

function cleanedText(text: string): string {
	const lines = text
		.toWellFormed()
		.split(/[\n\r\u0085\u2028\u2029]/)
		.map((line) =>
			line.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu, (unseen) => (unseen === '\t' ? ' ' : '')),
		)
		.map((line) => line.trim());
	const seen = lines.filter(Boolean).join(' ');
	if (seen === '' && /[^\0-\uFFFF]/u.test(text)) return '\uFFFD';
	const composed = seen.normalize('NFC');
	return [...composed].length < [...seen].length ? composed : seen;
}

/** Applies the leniency in the description of `email`. */
function asciiDomain(lead: Values): Values {
	const [, local, domain = ''] = /^([^@]*)@([^@/?#:\\]+)$/.exec(String(lead['email'])) ?? [];
	if (!URL.canParse(`https://${domain}`)) return lead;
	return { ...lead, email: `${local}@${new URL(`https://${domain}`).hostname}` };
}
