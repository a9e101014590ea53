import { expect, test } from 'vitest';
import { backgroundWork } from '../../../src/lead/delivery/background-work.ts';

test('nudges during a run lead to one more, which is waited for to stop, and nudges after that to none', async () => {
	const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const held = [first.promise, second.promise];
	let runs = 0;
	const { nudge, stop } = backgroundWork(() => held[runs++] ?? Promise.resolve());
	for (let nudges = 0; nudges < 3; nudges += 1) nudge();
	expect(runs).toBe(1);
	const stopped = stop();
	nudge();
	first.resolve();
	await expect.poll(() => runs).toBe(2);
	nudge();
	second.resolve();
	await stopped;
	expect(runs).toBe(2);
});

test.each([0, 1, 2, 3, 4, 5])('a nudge that comes %i turns after the first is heard', async (turns) => {
	let runs = 0;
	const { nudge } = backgroundWork(() => Promise.resolve(void (runs += 1)));
	nudge();
	for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
	nudge();
	await expect.poll(() => runs).toBe(2);
});
