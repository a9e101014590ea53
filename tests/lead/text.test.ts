import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { leadFields } from '../../src/lead/lead.ts';
import { cleanLine, cleanText, codePoints, fits, isFarOver, visible } from '../../src/lead/text.ts';

const anything = fc.string({
	unit: fc.oneof(
		fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
		fc.constantFrom(...'\n \u200D\uFE0Fa1\u0301\u0915\u094D\u0645\u180B\u1820\u200B', '👩', '\u{1F3F4}', '\u{E0067}'),
	),
});

const unseen = fc.string({ unit: fc.constantFrom(...' \n\u200B\u3164\u180B\uFE0F', '\u{E0041}') });

const breaking = /[[\p{Cc}--\n]\p{Bidi_Control}\u2028\u2029\uFFF9-\uFFFB]/v;
const unseenCharacters = /[\p{Default_Ignorable_Code_Point}\p{Cc}\s\uFFF9-\uFFFB]/gv;
const seen = (text: string) => text.toWellFormed().normalize('NFC').replace(unseenCharacters, '');

describe('Text', () => {
	test.each<[kind: string, written: string, kept?: string]>([
		['a zero-width space, a word joiner, a byte order mark', 'pay\u200Bpal\u2060\uFEFF', 'paypal'],
		['soft hyphens', 'in\u00ADvisible', 'invisible'],
		['fillers of Hangul', '\u3164a\u115F\u1160\uFFA0', 'a'],
		['tag characters', 'a\u{E0068}\u{E0069}b', 'ab'],
		['variation selectors that select nothing', 'a\uFE0Fb\u{E0101}1\uFE0F2', 'ab12'],
		['selectors of Mongolian letters, but for one', '\u1820\u180B\u180C\u180B', '\u1820\u180B'],
		['a run of variation selectors', '\u263A\uFE0F\uFE0F\uFE0E', '\u263A\uFE0F'],
		['joiners between Latin letters, and more than one', 'ad\u200Dm\u200Cin م\u200C\u200C\u200Cي', 'admin م\u200Cي'],
		['joiners behind Latin letters with accents', 'e\u0301\u200D \u0301\u200D', '\u00E9 \u0301'],
		['directional marks, overrides and isolates', '\u202Eevil\u202C \u2066x\u2069\u200E\u061C', 'evil x'],
		['tabs, but for a space', 'é\ta\tb', 'é a b'],
		['line breaks, but for ours', 'a\r\nb\vc\fd\u0085e\u2028f\u2029g', 'a\nb\nc\nd\ne\nf\ng'],
		['annotation, and other controls', 'a\uFFF9b\uFFFA\u0000\u001B[31m', 'ab[31m'],
		['no joined emoji', '👩‍⚕️ 👨‍👩‍👧‍👦 ❤️‍🔥 👩🏽‍⚕️ 🏳️‍⚧️'],
		['no flag of a region', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
		['no keycap', '1️⃣ #️⃣'],
		['no text presentation', '\u263A\uFE0E'],
		['no joiner of Persian, nor behind vowel signs', 'می‌خواهم مِی\u064E\u200Cخواهم'],
		['no joiner of a script of India', 'क्‍ष क्‌ष'],
		['no variant of a Japanese name', '葛󠄀城'],
	])('loses %s', (_, written, kept = written) => {
		expect(cleanText(written)).toBe(kept);
	});

	test('is cleaned by the same rules whether all its characters are common or not', () => {
		const common = Array.from({ length: 0x301 }, (_, code) => `a${String.fromCharCode(code)} b `);
		expect(common.map(cleanText)).toEqual(common.map((text) => cleanText(`${text}\u200B`)));
	});

	test.each<[rule: string, holds: (text: string) => boolean]>([
		['is the same when it is cleaned again', (text) => cleanText(cleanText(text)) === cleanText(text)],
		['of one line is the same when it is cleaned again', (text) => cleanLine(cleanLine(text)) === cleanLine(text)],
		['is never longer than it was', (text) => codePoints(cleanText(text)) <= codePoints(text)],
		['is there when the published pattern finds something visible', (text) => visible.test(text) === (cleanText(text) !== '')],
		['is visible in one line when it is in several', (text) => visible.test(text) === visible.test(cleanLine(text))],
		['breaks no header and no terminal', (text) => !breaking.test(cleanText(text))],
		['of one line has no line break', (text) => !cleanLine(text).includes('\n')],
		['is well-formed', (text) => cleanText(text).isWellFormed()],
		['loses nothing that is seen', (text) => seen(seen(cleanText(`a${text}`))) === seen(seen(`a${text}`))],
	])('%s', (_, holds) => {
		fc.assert(fc.property(fc.oneof({ weight: 4, arbitrary: anything }, unseen), holds));
	});

	test('is an address that is the same when it is cleaned again', () => {
		const clean = leadFields.find(({ name }) => name === 'email')!.clean!;
		const parts = fc.constantFrom('mailto:', 'Ana', '<', '>', '@', '＠', '.', '。', ' ', 'é', 'b.c');
		fc.assert(fc.property(fc.string({ unit: parts }), (text) => clean(clean(text)) === clean(text)));
	});

	test('is composed', () => {
		expect(cleanText('Clinica\u0301 \u1100\u1161 \u212B')).toBe('Clinicá \uAC00 \u00C5');
		// Unless there are more marks in a row than any language has.
		const marked = (marks: number) => `a${'\u0301'.repeat(marks)}`;
		expect([cleanText(marked(30)), cleanText(marked(31))]).toEqual([`á${'\u0301'.repeat(29)}`, marked(31)]);
	});

	test.each([
		['ab', true, false],
		['abc', false, false],
		['🦷🦷🦷', false, false],
		['🦷'.repeat(8), false, false],
		['🦷'.repeat(9), false, true],
		[`${' '.repeat(9)}a`, false, false],
	])('has at most two code points, or is far over that: %j', (text, isShort, isLong) => {
		expect([fits(text, 2), isFarOver(text, 2)]).toEqual([isShort, isLong]);
	});
});
