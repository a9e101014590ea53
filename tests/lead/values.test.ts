import { expect, onTestFinished, test, vi } from 'vitest';
import { isoNow } from '../../src/lead/values.ts';

test('the time is written anew in each millisecond', () => {
	onTestFinished(() => void vi.useRealTimers());
	for (const now of [1, 2, 2, 1]) {
		vi.useFakeTimers({ toFake: ['Date'], now });
		expect(isoNow()).toBe(new Date(now).toISOString());
	}
});
