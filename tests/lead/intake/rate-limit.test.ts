import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRateLimit } from '../../../src/lead/intake/rate-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Counts two leads in ten minutes for a /64 and, ten times as many, for a /48. */
async function startLimit() {
	const limit = await openRateLimit({
		policy: { limit: 2, window: 600 },
		store: { kind: 'none' },
		secret: createSecretKey(Buffer.alloc(32, 1)),
	});
	const countIn = (network: number) => limit.count({ address: `2001:db8:0:${network}::1` });
	return {
		countIn,
		/** Counts one lead from each of several networks of the same site. */
		async countInOthers(amount: number): Promise<void> {
			for (let network = 1; network <= amount; network += 1) await countIn(network);
		},
		pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000),
	};
}

test('where a network and its site both have nothing left, the network is told of itself if it is the one that waits longer', async () => {
	const { countIn, countInOthers, pass } = await startLimit();
	await countInOthers(18);
	await pass(100);
	await countIn(99);
	expect(await countIn(99)).toMatchObject({ remaining: 0, resetAfter: 600, policy: { limit: 2 } });
});

test('where a network and its site both have nothing left, the network is told of its site if that waits longer', async () => {
	const { countIn, countInOthers, pass } = await startLimit();
	await countInOthers(1);
	await pass(100);
	await countIn(99);
	await pass(550);
	await countInOthers(19);
	expect(await countIn(99)).toMatchObject({ remaining: 0, resetAfter: 600, policy: { limit: 20 } });
});

test.each([
	['an hour', 3600],
	['forty days, longer than a timer can be', 40 * 86_400],
])('after the clock was set back by %s a client has its limit again, and is forgotten at the end', async (_, seconds) => {
	const { countIn, pass } = await startLimit();
	for (let lead = 0; lead < 3; lead += 1) await countIn(1);
	vi.setSystemTime(Date.now() - seconds * 1000);
	expect(await countIn(1)).toMatchObject({ remaining: 1, resetAfter: 600, exceeded: false });
	await pass(601);
	expect(vi.getTimerCount()).toBe(0);
});
