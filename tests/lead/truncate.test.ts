import { expect, test } from 'vitest';
import { truncate } from '../../src/lead/truncate.ts';

test.each([
	['', 3, ''],
	['abc', 3, 'abc'],
	['abcd', 3, 'ab…'],
	['🦷🦷', 4, '🦷🦷'],
	['🦷🦷🦷', 5, '🦷🦷…'],
	['🦷🦷🦷', 4, '🦷…'],
])('Of %j at most %i code units are %j', (text, max, cut) => {
	expect(truncate(text, max)).toBe(cut);
});

test('A text that is cut ends as the caller wants', () => {
	expect(truncate('one two three', 10, ' (more)')).toBe('one (more)');
});
