import { afterEach, expect, test, vi } from 'vitest';
import { countHere } from '../../src/api/rate.ts';

afterEach(() => void vi.useRealTimers());

const WINDOW = 600_000;

test('a client is counted until its window ends, and a clock that is set back changes nothing', async () => {
	const counter = countHere();
	expect(await counter.add('one', 50)).toMatchObject({ requests: 1 });
	vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - WINDOW });
	const { requests, rest } = await counter.add('one', 50);
	expect(requests).toBe(2);
	expect(rest).toBeLessThanOrEqual(50);
	await expect.poll(() => counter.read('one', 50)).toBeUndefined();
	expect(await counter.add('one', 50)).toMatchObject({ requests: 1 });
});

test('50,000 clients are remembered, and the one whose window began first is forgotten for the next', async () => {
	const counter = countHere();
	for (let client = 0; client < 50_000; client += 1) await counter.add(String(client), WINDOW);
	expect(await counter.add('0', WINDOW)).toMatchObject({ requests: 2 });
	await counter.add('one more', WINDOW);
	expect([await counter.read('0', WINDOW), await counter.read('1', WINDOW)]).toEqual([undefined, expect.anything()]);
});
