import { expect, test } from 'vitest';
import { judgeInOrder, judgeResembling, readSamples } from '../../support/spam-samples.ts';

test('no legitimate lead that looks like spam is held or marked', () => {
	expect(judgeInOrder(readSamples('twins'))).toMatchObject({ held: [], marked: [] });
});

test('at least 30 % of the spam, which no operator has marked, is marked or held', () => {
	const { samples, marked, held } = judgeInOrder(readSamples('spam'));
	expect((marked.length + held.length) / samples).toBeGreaterThanOrEqual(0.3);
});

test('what resembles spam that the operator marked is held', () => {
	const { like, held } = judgeResembling(readSamples('spam'));
	expect([like > 80, held]).toEqual([true, like]);
});
