import { expect, onTestFinished, test, vi } from 'vitest';
import { backgroundWork, hourly } from '../../src/lead/background-work.ts';

test('a nudge during a run leads to one more, however many there were', async () => {
	const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const held = [first.promise, second.promise];
	let runs = 0;
	const { nudge, stop } = backgroundWork(() => held[runs++] ?? Promise.resolve());
	for (let nudges = 0; nudges < 3; nudges += 1) nudge();
	expect(runs).toBe(1);
	first.resolve();
	await expect.poll(() => runs).toBe(2);
	second.resolve();
	await stop();
	expect(runs).toBe(2);
});

test.each(Array.from({ length: 8 }, (_, turns) => turns))(
	'a nudge that comes %i turns after the first is heard',
	async (turns) => {
		let runs = 0;
		const { nudge } = backgroundWork(() => Promise.resolve(void (runs += 1)));
		nudge();
		for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
		nudge();
		await expect.poll(() => runs).toBe(2);
	},
);

test('to stop is to wait for the run that goes on, and to start no other', async () => {
	const held = Promise.withResolvers<void>();
	let runs = 0;
	const { nudge, stop } = backgroundWork(() => ((runs += 1), held.promise));
	nudge();
	nudge();
	const stopped = stop();
	nudge();
	held.resolve();
	await stopped;
	expect(runs).toBe(1);
});

test('hourly work is done at once and every hour, until it is stopped', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const work = vi.fn(() => Promise.resolve());
	const { stop } = hourly(work);
	expect(work).toHaveBeenCalledTimes(1);
	await vi.advanceTimersByTimeAsync(3600_000);
	expect(work).toHaveBeenCalledTimes(2);
	await stop();
	await vi.advanceTimersByTimeAsync(7200_000);
	expect(work).toHaveBeenCalledTimes(2);
	expect(vi.getTimerCount()).toBe(0);
});
