import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonSchema, OpenApi } from '../../src/discovery/openapi-document.ts';
import { leadFields } from '../../src/lead/lead.ts';
import { paths } from '../../src/service/links.ts';
import { lead, postBody } from '../support/post-lead.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let receiver: WebhookReceiver;
let server: TestServer;
let schema: JsonSchema & { properties: Record<string, JsonSchema> };
/** Of the format nothing is checked, as in most validators: the schema must hold without it. */
let accepted: ValidateFunction;
beforeAll(async () => {
	receiver = await startWebhookReceiver();
	server = await startServer({ LEAD_WEBHOOK_URL: receiver.url, LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' });
	const description = (await (await fetch(server.url + paths.openapi)).json()) as OpenApi;
	schema = description.components.schemas['Lead'] as typeof schema;
	accepted = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
});
afterAll(async () => {
	await server[Symbol.asyncDispose]();
	await receiver.close();
});

/** The status, and the codes of what is wrong. */
async function answerTo(fields: Record<string, unknown>): Promise<[number, string[]]> {
	const response = await postBody(server.url, { ...lead, ...fields });
	const { errors = [] } = (await response.json()) as { errors?: { code: string }[] };
	return [response.status, errors.map(({ code }) => code)];
}

/** Characters that cleaning takes away, puts together, takes apart or moves, among others. */
const units = fc.oneof(
	fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
	fc.constantFrom(...' \n\t\r\0\u00A0\u200B\u200D\uFE0F\uFEFF\u3164\u034F\u180B\u2028\uFFF9', '\u{E0041}', '\u{1D173}', '\uD800'),
	fc.constantFrom(
		...'aé\u0301\u0323\u0344\u0958\u0F73\uFB2C\u1100\u1161\u212B\u037E<,;',
		'\u{1D15E}',
		'\u{16D68}',
		'👩',
		'\u{1F1E6}',
	),
);

const textOf = (max: number) =>
	fc.oneof(
		fc.array(units, { maxLength: Math.min(max, 40) }).map((parts) => [...parts.join('')].slice(0, max).join('')),
		fc.tuple(units, units).map(([one, other]) => (one + other.repeat(max)).slice(0, max)),
	);

const valueOf = ({
	const: constant,
	enum: choices,
	type,
	minimum,
	maximum,
	pattern,
	format,
	maxLength = 0,
}: JsonSchema): fc.Arbitrary<unknown> => {
	if (constant !== undefined) return fc.constant(constant);
	if (choices) return fc.constantFrom(...choices);
	if (type === 'integer') return fc.integer({ min: minimum!, max: maximum! });
	return format === 'email' ? fc.stringMatching(new RegExp(pattern!)) : textOf(maxLength);
};

describe('the published schema', () => {
	test('accepts nothing that the server refuses with 422', async () => {
		const members = Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, valueOf(property)]));
		const leads = fc.record(members, { requiredKeys: schema['required'] as string[] }).filter((value) => accepted(value));
		await fc.assert(
			fc.asyncProperty(leads, async (value) => {
				expect(await answerTo(value)).toEqual([200, []]);
			}),
			{ numRuns: 500 },
		);
	});

	test.each([
		['letters that are two in NFC', 'name', '\u0958'.repeat(120)],
		['letters that are three', 'clinic', '\uFB2C'.repeat(160)],
		['letters of one code unit that are two, and of two that are one', 'phone', '\u0958'.repeat(20) + '\u{2F800}'.repeat(20)],
		['marks that are two', 'message', `a${'\u0344'.repeat(4999)}`],
		['notes that are two', 'source', '\u{1D15E}'.repeat(200)],
		['emoji', 'name', '😀'.repeat(120)],
		['half a surrogate pair', 'name', '\uD800'],
		['tags', 'name', '\u{E0041}'],
		['tags between spaces', 'clinic', ' \u{E0041}\u200B '],
		['marks in no order', 'message', '\u0301\u0323'.repeat(2500)],
		['no language', 'lang', '-'],
		['the longest local part', 'email', `${'a'.repeat(64)}@clinic.com`],
		['dots', 'email', '.a..b.@clinic.com'],
	])('accepts %s in %s, as the server does', async (_case, field, value) => {
		expect(accepted({ ...lead, [field]: value })).toBe(true);
		expect(await answerTo({ [field]: value })).toEqual([200, []]);
	});

	test.each([
		['name', ' \u200B\u3164 '],
		['clinic', '\u00AD\uFE0F'],
		['email', 'ana@clinic'],
		['email', 'ana@clinic.c'],
		['email', '"ana"@clinic.com'],
		['email', `${'a'.repeat(65)}@clinic.com`],
		['email', `ana@${'a'.repeat(250)}.com`],
		['phone', 600_123_456],
		['phone', '6'.repeat(41)],
		['lang', ['es']],
		['consent', 'ON'],
		['consent', true],
		['website', 0],
		['website', false],
		['website', []],
		['website', {}],
	])('refuses %s: %j, as the server does', async (field, value) => {
		expect(accepted({ ...lead, [field]: value })).toBe(false);
		const [status, [code]] = await answerTo({ [field]: value });
		expect([status, code?.split('_')[0]]).toEqual([422, field]);
	});

	test.each([
		[
			'null in every optional member',
			'null',
			Object.fromEntries(leadFields.filter(({ required }) => !required).map(({ name }) => [name, null])),
		],
		['white space around text', 'cleaned', { email: ' ana@clinic.com\n' }],
		['text that is within its limit once it is cleaned', 'cleaned', { name: 'e\u0301'.repeat(120) }],
		['the same among much white space', 'cleaned', { message: `${'\n '.repeat(9000)}${'é'.repeat(5000)}${' '.repeat(9000)}` }],
		['a domain in its international form', 'RFC 6531', { email: 'ana@clínica.example' }],
		['an address in its international form', 'RFC 6531', { email: '用户@例子.世界' }],
	])('refuses %s, which the server takes, and says so', async (_case, words, fields) => {
		expect(accepted({ ...lead, ...fields })).toBe(false);
		expect(`${schema.description} ${schema.properties['email']!.description}`).toContain(words);
		expect(await answerTo(fields)).toEqual([200, []]);
	});
});

test.each(leadFields.filter(({ required }) => required))('null in $name is a member that is missing', async ({ name }) => {
	expect(await answerTo({ [name]: null })).toEqual([422, [`${name}_required`]]);
});

test('a lead with null for its honeypot arrives, and what is null in it is absent', async () => {
	const message = crypto.randomUUID();
	expect(await answerTo({ website: null, phone: null, message })).toEqual([200, []]);
	const delivered = receiver.requests.map(({ body }) => JSON.parse(body) as { data: Record<string, unknown> });
	const { data } = delivered.find(({ data }) => data['message'] === message)!;
	expect(data).toMatchObject({ ...lead, message });
	expect(data).not.toHaveProperty('phone');
});
