import { expect, onTestFinished, test, vi } from 'vitest';
import { backgroundWork } from '../../src/outbox/background-work.ts';

test('nudges during a run lead to one more, which is waited for to stop, and nudges after that to none', async () => {
	const held = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
	let runs = 0;
	const work = backgroundWork(() => held[runs++]!.promise);
	for (let nudges = 0; nudges < 3; nudges += 1) work.nudge();
	expect(runs).toBe(1);
	const stopped = work.stop();
	work.nudge();
	held[0]!.resolve(0);
	await expect.poll(() => runs).toBe(2);
	work.nudge();
	held[1]!.resolve(0);
	await stopped;
	expect(runs).toBe(2);
});

test('a nudge starts a run however many turns of the event loop it comes after the first', async () => {
	for (const turns of [0, 1, 2, 3, 4, 5]) {
		const run = vi.fn(() => Promise.resolve(9999));
		const work = backgroundWork(run);
		work.nudge();
		for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
		work.nudge();
		await expect.poll(() => run.mock.calls.length).toBe(2);
	}
});

test('background work runs again after the time that the last run returned, until it is stopped', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const run = vi.fn().mockResolvedValueOnce(9999).mockResolvedValue(1000);
	const work = backgroundWork(run);
	work.nudge();
	await work.idle();
	work.nudge();
	await vi.advanceTimersByTimeAsync(999);
	expect(run).toHaveBeenCalledTimes(2);
	await vi.advanceTimersByTimeAsync(1);
	expect(run).toHaveBeenCalledTimes(3);
	await work.stop();
	await vi.advanceTimersByTimeAsync(9999);
	expect(run).toHaveBeenCalledTimes(3);
	expect(vi.getTimerCount()).toBe(0);
});
