import { expect, test } from 'vitest';
import { isKey, newKey, publicTestKey } from '../../src/api/authentication.ts';
import { keyFormOf } from '../../src/facts/facts.ts';
import { service } from '../../src/facts/load.ts';

const { pattern, prefix } = keyFormOf(service.identifier);

test.each([newKey(), publicTestKey])('a key has the form that is published: %s', (key) => {
	expect(key).toMatch(new RegExp(`^${pattern}$`));
	expect(key.startsWith(prefix)).toBe(true);
	expect(isKey(key)).toBe(true);
});

test('a double click selects all of a key, whatever the service is called', () => {
	expect(keyFormOf('front-desk').publicTestKey).toMatch(/^front_desk_test_\w+$/);
});

test('each typing error is seen without asking the store', () => {
	const key = newKey();
	for (let at = service.identifier.length + 1; at < key.length; at += 1) {
		const wrong = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
		expect(isKey(wrong)).toBe(false);
	}
	expect(isKey(`${key}0`)).toBe(false);
	expect(isKey(key.slice(1))).toBe(false);
});
