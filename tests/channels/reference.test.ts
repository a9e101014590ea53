import { expect, test } from 'vitest';
import { idPartOf, referenceOf } from '../../src/channels/message.ts';

const id = '01a22369-46ee-7cd7-b7cb-667f52352556';

test('a reference names the random end of an id, in every way that people write it', () => {
	const reference = referenceOf(id);
	expect(reference).toMatch(/^[\dA-HJKMNP-TV-Z]{4}-[\dA-HJKMNP-TV-Z]{4}$/);
	for (const written of [reference, reference.toLowerCase(), reference.replace('-', '')])
		expect(id.endsWith(idPartOf(written))).toBe(true);
});

test.each([
	['0000000000', '0000-0000'],
	['ffffffffff', 'ZZZZ-ZZZZ'],
	['0000000001', '0000-0001'],
	['0842108421', '1111-1111'],
])('the bits %s are %s', (end, reference) => {
	expect(referenceOf(id.slice(0, -10) + end)).toBe(reference);
	const written = reference.replaceAll('0', 'o').replaceAll('1', 'l');
	expect(idPartOf(written)).toBe(end);
});

test.each(['52352556', 'DEADBEEF', id, '01a22369-46ee', '', '7Q4F-K2MU', '7Q4-FK2M9'])(
	'%j is a part of an id as it is',
	(part) => {
		expect(idPartOf(part)).toBe(part.toLowerCase());
	},
);
