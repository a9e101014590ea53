import { createSecretKey } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoryCounter } from '../../../src/lead/intake/rate-counter.ts';
import { openRateLimit } from '../../../src/lead/intake/rate-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Counts two leads in ten minutes for a /64 and, ten times as many, for a /48. */
async function startLimit() {
	const limit = await openRateLimit({
		policy: { limit: 2, window: 600 },
		store: { kind: 'none' },
		secret: createSecretKey(Buffer.alloc(32, 1)),
		log: pino({ level: 'silent' }),
	});
	const countIn = (network: number) => limit.count({ address: `2001:db8:0:${network.toString(16)}::1` });
	return {
		limit,
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

test('a network uses up no more of its site than its own limit, and a site nothing of the next', async () => {
	const { limit, countIn, countInOthers } = await startLimit();
	for (let lead = 0; lead < 9; lead += 1) await countIn(99);
	await countInOthers(17);
	expect(await countIn(98)).toMatchObject({ remaining: 0, exceeded: false, policy: { limit: 20 } });
	expect(await countIn(97)).toMatchObject({ exceeded: true, policy: { limit: 20 } });
	expect(await limit.count({ address: '2001:db8:1::1' })).toMatchObject({ remaining: 1 });
});

test('a client may send ten times as many submissions as leads, and has a limit of its own for tests', async () => {
	const { limit } = await startLimit();
	const client = { address: '192.0.2.1' };
	expect([await limit.count(client), await limit.count(client, 'submission')]).toMatchObject([
		{ remaining: 1 },
		{ remaining: 19 },
	]);
	expect(await limit.count({ ...client, test: true })).toMatchObject({ remaining: 1 });
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

test('50,000 clients are remembered, and the one whose window began first is forgotten for the next', async () => {
	const counter = memoryCounter();
	for (let client = 0; client < 50_000; client += 1) await counter.add(String(client), 600);
	await counter.add('0', 600);
	expect(await counter.read('0', 600)).toMatchObject({ requests: 2 });
	await counter.add('one more', 600);
	expect([await counter.read('0', 600), await counter.read('1', 600)]).toEqual([undefined, expect.anything()]);
});

test('the networks of a site over its limit are not remembered, and so push out nobody', async () => {
	const { limit, countInOthers } = await startLimit();
	const elsewhere = () => limit.count({ address: '192.0.2.1' });
	for (let lead = 0; lead < 2; lead += 1) await elsewhere();
	await countInOthers(51_000);
	expect(await elsewhere()).toMatchObject({ exceeded: true });
});

test('all clients are forgotten at the end of their windows, however many there are', async () => {
	const counter = memoryCounter();
	for (let client = 0; client < 2500; client += 1) await counter.add(String(client), 600);
	await vi.advanceTimersByTimeAsync(599_000);
	expect([await counter.read('0', 600), vi.getTimerCount()]).toEqual([expect.anything(), 1]);
	await vi.advanceTimersByTimeAsync(2000);
	expect([await counter.read('2499', 600), vi.getTimerCount()]).toEqual([undefined, 0]);
});
