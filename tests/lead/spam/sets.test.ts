import { expect, test } from 'vitest';
import { fingerprintOf } from '../../../src/lead/spam/traits.ts';
import { judgeInOrder, judgeResembling, readSamples, secret } from '../../support/spam-samples.ts';

test('no legitimate lead that looks like spam is held or marked', () => {
	expect(judgeInOrder(readSamples('twins'))).toMatchObject({ held: [], marked: [] });
});

test('at least 20 % of the spam, which no operator has marked, is marked or held', () => {
	const { samples, marked, held } = judgeInOrder(readSamples('spam'));
	expect((marked.length + held.length) / samples).toBeGreaterThanOrEqual(0.2);
});

test('spam that the operator marked is known again in disguise, and no legitimate lead is taken for it', () => {
	const spam = readSamples('spam');
	const { like, silent, mistaken } = judgeResembling(spam, readSamples('twins'));
	expect([like, silent < 25, mistaken]).toEqual([spam.length - silent, true, []]);
});

test('a message is compared from sixty letters on', () => {
	expect([59, 60].map((letters) => fingerprintOf(secret, { message: 'a'.repeat(letters) }) !== undefined)).toEqual([false, true]);
});
