import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoryCounter } from '../../../src/lead/intake/rate-counter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const WINDOW = 600;

test.each([
	['an hour', 3600],
	['forty days, longer than a timer can be', 40 * 86_400],
])('after the clock was set back by %s a client has its limit again, and is forgotten at the end', async (_, seconds) => {
	const counter = memoryCounter();
	for (let lead = 0; lead < 3; lead += 1) await counter.add('one', WINDOW);
	vi.setSystemTime(Date.now() - seconds * 1000);
	expect(await counter.add('one', WINDOW)).toEqual({ requests: 1, length: 600_000, endsAt: Date.now() + 600_000 });
	await vi.advanceTimersByTimeAsync(601_000);
	expect(vi.getTimerCount()).toBe(0);
});

test('50,000 clients are remembered, the one whose window began first is forgotten for the next, and all at their end', async () => {
	const counter = memoryCounter();
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
