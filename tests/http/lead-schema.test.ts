import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { select } from '../../src/lead/field.ts';
import { leadFields, leadSchema } from '../../src/lead/lead.ts';
import { description } from '../support/described-answer.ts';
import { startStoring } from '../support/lead-places.ts';
import { lead, postBody } from '../support/post-lead.ts';
import { shared } from '../support/shared.ts';

const storing = shared(() => startStoring({ LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' }));
const schema = description.components.schemas['Lead']!;
/** Ignores the format, as most validators do: the schema must hold without it. */
const accepted = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

async function answerTo(fields: Record<string, unknown>): Promise<[number, string[]]> {
	const response = await postBody(storing().server.url, { ...lead, ...fields });
	const { errors = [] } = (await response.json()) as { errors?: { code: string }[] };
	return [response.status, errors.map(({ code }) => code)];
}

const malformed =
	`ana ana@gmail a@b.123 ana@192.0.2.1 ana@clinic.com- ana@-clinic.com ana@clinic..com ana@①.② ana@clínica/x.example
	añá@clinic.com`.split(/\s+/);
const tooLong = [`${'a'.repeat(249)}@b.com`, `ana@${'a'.repeat(64)}.com`, `ana@b.${'a'.repeat(64)}`, `ana@${'é'.repeat(58)}.com`];
const several = [
	'ana@clinic.com, eve@evil.example',
	'Ana <ana@clinic.com>, Eve <eve@evil.example>',
	'ana@clinic.com\r\nBcc: eve@evil.example',
	'mailto:ana@clinic.com?bcc=eve@evil.example',
];

describe('the published schema', () => {
	test.each([
		['letters that are two in NFC', 'name', '\u0958'.repeat(120)],
		['letters of one code unit that are two, and of two that are one', 'phone', '\u0958'.repeat(20) + '\u{2F800}'.repeat(20)],
		['half a surrogate pair', 'name', '\uD800'],
		['tags between spaces', 'clinic', ' \u{E0041}\u200B '],
		['no language', 'lang', '-'],
		['the longest address', 'email', `ana@${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}`],
		['dots before the @', 'email', '.abc..def.@docomo.ne.jp'],
		['every sign that may stand before the @', 'email', "!#$%&'*+-/=?^_`{|}~@clinic.com"],
		['the shortest domain', 'email', 'a@1.c'],
		['the longest label', 'email', `ana@${'a'.repeat(63)}.com`],
		['a domain’s ASCII form', 'email', 'ana@xn--clnica-4va.xn--p1ai'],
		['the longest last label', 'email', `ana@b.${'a'.repeat(63)}`],
		['the longest name in letters of two code units', 'name', '𝒜'.repeat(120)],
	])('accepts %s in %s, as the server does', async (_case, field, value) => {
		expect(accepted({ ...lead, [field]: value })).toBe(true);
		expect(await answerTo({ [field]: value })).toEqual([200, []]);
	});

	test.each<[field: string, value: unknown]>([
		...leadFields.filter(({ required }) => required).map(({ name }): [string, null] => [name, null]),
		['name', ' \u200B\u3164 '],
		['clinic', '\u00AD\uFE0F'],
		['name', '𝒜'.repeat(121)],
		...['', ...malformed, ...tooLong, ...several].map((address): [string, string] => ['email', address]),
		['phone', 600_123_456],
		['phone', '6'.repeat(41)],
		['lang', ['es']],
		['consent', 'ON'],
		['consent', true],
		['website', 0],
	])('refuses %s: %j, as the server does', async (field, value) => {
		expect(accepted({ ...lead, [field]: value })).toBe(false);
		const [status, [code]] = await answerTo({ [field]: value });
		expect([status, code?.split('_')[0]]).toEqual([422, field]);
	});

	const noneOptional = Object.fromEntries(leadFields.filter(({ required }) => !required).map(({ name }) => [name, null]));
	test.each([
		['null in every optional member', 'null', noneOptional],
		['white space around text', 'cleaned', { email: ' ana@clinic.com\n' }],
		['text that is within its limit once it is cleaned', 'cleaned', { name: 'e\u0301'.repeat(120) }],
		['the same among much white space', 'cleaned', { message: `${'\n '.repeat(9000)}${'é'.repeat(5000)}${' '.repeat(9000)}` }],
		['an international domain', 'international domain', { email: 'ana@clínica.example' }],
		['full-width signs', 'full-width', { email: 'ａｎａ＠ｃｌｉｎｉｃ。ｃｏｍ' }],
		['an address with a name', 'angle brackets', { email: 'Ruiz, Ana <ana@clinic.com>' }],
		['a link', '`mailto:`', { email: 'mailto:ana@clinic.com' }],
		['a dot at the end', 'dots behind it', { email: 'ana@clinic.com.' }],
	])('refuses %s, which the server takes, and says so', async (_case, words, fields) => {
		expect(accepted({ ...lead, ...fields })).toBe(false);
		expect(JSON.stringify(schema)).toContain(words);
		expect(await answerTo(fields)).toEqual([200, []]);
	});
});

test('text is cleaned up to four times its limit, without white space around it', async () => {
	const textOf = (length: number) => `\n ${'Ana'.padStart(length, '\u200B')}${' '.repeat(2000)}`;
	expect(JSON.stringify(schema)).toContain('more than 4 times its maximum length');
	expect(await answerTo({ name: textOf(4 * 120) })).toEqual([200, []]);
	expect(await answerTo({ name: textOf(4 * 120 + 1) })).toEqual([422, ['name_too_long']]);
});

test.each([
	['Ana@Clínica.example', 'Ana@xn--clnica-4va.example'],
	['Ana@Clinica.example', 'Ana@Clinica.example'],
	['Ruiz <mailto:abc..Def.@Docomo.ne.jp.>', 'abc..Def.@Docomo.ne.jp'],
])('the address %s is kept as %s', (email, kept) => {
	expect(leadSchema.parse({ ...lead, email }).email).toBe(kept);
});

test('a list takes one of its values as it is, and says which', () => {
	const list = { label: 'Role', description: '', choices: { owner: 'Owner', other: 'Other' } };
	const [optional, required] = [select(list).schema, select({ ...list, required: true }).schema];
	expect(z.toJSONSchema(optional, { io: 'input' })).toMatchObject({ enum: ['owner', 'other'], examples: ['owner'] });
	const faultOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map(({ message }) => message);
	for (const value of ['Owner', ' owner', 'toString', 1, {}])
		expect([value, faultOf(optional, value)]).toEqual([value, ['invalid']]);
	for (const value of ['', null, undefined])
		expect([optional.parse(value), faultOf(required, value)]).toEqual([undefined, ['required']]);
	expect([optional.parse('other'), required.parse('owner')]).toEqual(['other', 'owner']);
});

/** Names that exports, messages or the page use beside the fields. */
const taken = `id receivedAt noticeVersion consentWording apiKey sender state received
	notice progress advice action reset dataset`.split(/\s+/);

test('no field has a name that something beside it has', () => {
	expect(leadFields.filter(({ name }) => taken.includes(name))).toEqual([]);
});
