import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countHere } from '../../src/api/rate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const WINDOW = 600_000;

test('a clock that is set back changes no window', async () => {
	const counter = countHere();
	await counter.add('one', WINDOW);
	vi.setSystemTime(Date.now() - 3600_000);
	expect(await counter.add('one', WINDOW)).toEqual({ requests: 2, rest: WINDOW });
	await vi.advanceTimersByTimeAsync(WINDOW + 1000);
	expect([await counter.read('one', WINDOW), vi.getTimerCount()]).toEqual([undefined, 0]);
});

test('50,000 clients are remembered, the one whose window began first is forgotten for the next, and all at their end', async () => {
	const counter = countHere();
	for (let client = 0; client < 50_000; client += 1) await counter.add(String(client), WINDOW);
	await counter.add('0', WINDOW);
	expect(await counter.read('0', WINDOW)).toMatchObject({ requests: 2 });
	await counter.add('one more', WINDOW);
	expect([await counter.read('0', WINDOW), await counter.read('1', WINDOW)]).toEqual([undefined, expect.anything()]);
	await vi.advanceTimersByTimeAsync(599_000);
	expect([await counter.read('1', WINDOW), vi.getTimerCount()]).toEqual([expect.anything(), 1]);
	await vi.advanceTimersByTimeAsync(2000);
	expect([await counter.read('one more', WINDOW), vi.getTimerCount()]).toEqual([undefined, 0]);
});
