import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import fc from '../support/fast-check.ts';
import { paths } from '../../src/facts/links.ts';
import { description, differencesOf } from '../support/described-answer.ts';
import { startStoring } from '../support/lead-places.ts';
import { postBody } from '../support/post-lead.ts';
import type { JsonSchema } from '../../src/discovery/openapi-document.ts';

type ObjectSchema = JsonSchema & { properties: Record<string, JsonSchema>; required: string[] };

/** In bytes: the limit of a request, as its description says. */
const LIMIT = 64 * 1024;

/** Draws leads from the published schema alone: valid, except for some members. */
function drawnLead({ properties, required }: ObjectSchema): fc.Arbitrary<object> {
	const members = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, valueFor(member)]));
	const lead = fc.record(members, { requiredKeys: required, noNullPrototype: true });
	const other = fc.option(fc.dictionary(otherName, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 1 }), { nil: {}, freq: 4 });
	const both = fc.tuple(lead, other).map(([lead, other]) => ({ ...lead, ...other }));
	return both.filter((lead) => Buffer.byteLength(JSON.stringify(lead)) <= LIMIT);
}

const otherName = fc.constantFrom('role', 'Name', 'constructor', '__proto__', 'toString');

/** Draws a value that a member may have, and sometimes one that may be invalid; `undefined` is no member. */
function valueFor(member: JsonSchema) {
	const example = member.examples?.[0];
	const others = [fc.constantFrom(undefined, null, '', 0, 7, true, false, [], {}, [example])];
	if (typeof example === 'string') others.push(textLike(example), textIn(member));
	return fc.oneof({ weight: 40, arbitrary: rightValue(member) }, ...others);
}

function rightValue({ const: constant, enum: choices, pattern, maxLength = 0 }: JsonSchema): fc.Arbitrary<unknown> {
	if (constant !== undefined) return fc.constant(constant);
	if (choices) return fc.constantFrom(...choices);
	return pattern?.startsWith('^') ? fc.stringMatching(new RegExp(pattern, 'u')) : textOf(maxLength);
}

function textLike(example: string): fc.Arbitrary<unknown> {
	const spaced = [`${example} `, ` ${example}\n`, `\u200B${example}`, example.toUpperCase()];
	return fc.constantFrom(...spaced, 'yes', ' ', '\u00AD\u3164', '\u{E0041}');
}

const textIn = ({ format, maxLength = 20 }: JsonSchema): fc.Arbitrary<unknown> =>
	fc.oneof(textNear(maxLength), format === 'email' ? address : fc.string({ unit: 'binary', maxLength: 9 }));

/** Characters that cleaning removes, composes, decomposes or moves, among others. */
const odd = [...' \n\t\r\0\u00A0\u200B\u200D\uFE0F\uFEFF\u3164\u034F\u180B\u2028\uFFF9\u{E0041}\u{1D173}\uD800', '\r\n'];
const letters = [...'aé\u0301\u0323\u0344\u0958\u0F73\uFB2C\u1100\u1161\u212B\u037E<,;\u{1D15E}\u{16D68}👩\u{1F1E6}', 'e\u0301'];
const unit = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constantFrom(...odd, ...letters));

const cut = (text: string, length: number) => [...text].slice(0, length).join('');

/** Draws some text, or one character repeated, of at most `max` code points. */
const textOf = (max: number) =>
	fc.oneof(
		fc.array(unit, { maxLength: Math.min(max, 40) }).map((parts) => cut(parts.join(''), max)),
		fc.tuple(unit, unit).map(([one, other]) => cut(one + other.repeat(max), max)),
	);

/** Draws text near its limit, or several times as long, in code points. */
const textNear = (max: number) =>
	fc
		.tuple(fc.constantFrom('a', 'é', 'e\u0301', '👩'), unit, fc.constantFrom(max - 1, max, max + 1, 2 * max, 4 * max + 1))
		.map(([one, other, length]) => cut(one + other.repeat(length), length));

const goodLabels = ['b', 'B2', 'b--c', 'xn--clnica-4va', 'clínica', 'CLÍNICA', '例子', 'gооgle', 'straße', 'é'.repeat(57)];
const shortLabels = ['b-', '-b', 'b_c', '1', '', ' ', 'xn--zzz', 'xn--', 'é/é', 'é:80', '-é', 'é-', 'İ', '０', 'a\u200Dé'];
const badLabels = [...shortLabels, 'a'.repeat(63), 'a'.repeat(64), 'é'.repeat(63)];
const label = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...goodLabels) }, fc.constantFrom(...badLabels));
const topDomain = fc.oneof(
	fc.constantFrom('com', 'c1', 'xn--p1ai', '世界', 'рф'),
	fc.constantFrom('c', 'é', '1c', '123', 'c-', '-c', 'com.', ''),
);
const localPart = fc.oneof(
	fc.constantFrom('.a', 'a.', 'a..b', '"a"', 'a b', 'a@b', 'añá', '用户', 'a\u0301', '', 'Ana <a', 'a,b'),
	fc.constantFrom('a', "o'n+x", '=?x?=', 'a.b-c', ...[31, 64, 65].map((length) => `${'a'.repeat(length)}.${'b'.repeat(33)}`)),
);
const address = fc
	.tuple(
		fc.constantFrom('', '', '', 'mailto:', 'Ana <', '<'),
		localPart,
		fc.constantFrom('@', '＠'),
		fc.array(label, { maxLength: 3 }),
		topDomain,
		fc.constantFrom('', '', ' ', '\n', '\u200B', '>', '.', '。'),
	)
	.map(([before, local, at, labels, top, after]) => `${before}${local}${at}${[...labels, top].join('.')}${after}`);

test('the server takes what the published schema accepts, and answers anything as is described', async () => {
	await using storing = await startStoring({ LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' });
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
			const response = await postBody(storing.server.url, lead as object);
			const { status, headers } = response;
			expect(accepted ? [200] : [200, 422]).toContain(status);
			expect(differencesOf({ status, headers, body: await response.text() }, paths.submitLead, 'post')).toEqual([]);
		}),
		{ numRuns: 1000 },
	);
	for (const times of Object.values(made)) expect(times).toBeGreaterThan(100);
});
