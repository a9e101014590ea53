import { expect, test } from 'vitest';
import { judgeInOrder, judgeResembling, readSamples } from '../../support/spam-samples.ts';

test('no legitimate lead that looks like spam is held, and at most 2 % are marked', () => {
	const { samples, marked, held } = judgeInOrder(readSamples('twins'));
	expect(held).toEqual([]);
	expect(marked.length / samples).toBeLessThanOrEqual(0.02);
});

test('at least 60 % of the spam is marked or held', () => {
	const { samples, marked, held } = judgeInOrder(readSamples('spam'));
	expect((marked.length + held.length) / samples).toBeGreaterThanOrEqual(0.6);
});

test('what resembles spam that the operator marked is held', () => {
	const { like, held } = judgeResembling(readSamples('spam'));
	expect([like > 80, held]).toEqual([true, like]);
});
