import { expect, test } from 'vitest';
import { cutPoints, truncate } from '../../../src/lead/message/truncate.ts';

test.each([
	['', 3, ''],
	['abc', 3, 'abc'],
	['abcd', 3, 'ab…'],
	['🦷🦷', 4, '🦷🦷'],
	['🦷🦷🦷', 5, '🦷🦷…'],
	['🦷🦷🦷', 4, '🦷…'],
	['👩‍⚕️👩‍⚕️👩‍⚕️', 11, '👩‍⚕️👩‍⚕️…'],
	['ae\u0301i', 3, 'a…'],
])('Of %j at most %i code units are %j', (text, max, cut) => {
	expect(truncate(text, max)).toBe(cut);
});

test('A text that is cut ends as the caller wants', () => {
	expect(truncate('one two three', 10, ' (more)')).toBe('one (more)');
});

test('A character without end is cut between code points', () => {
	const zalgo = `a${'\u0301'.repeat(200)}`;
	expect(truncate(zalgo, 100)).toBe(`${zalgo.slice(0, 99)}…`);
	expect(cutPoints('ab🦷')).toEqual([0, 1, 2, 4]);
});
