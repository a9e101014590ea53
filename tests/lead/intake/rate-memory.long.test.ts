import { createSecretKey, randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openRateLimit } from '../../../src/lead/intake/rate-limit.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function inUse(): number {
	collectGarbage();
	const { heapUsed, external, arrayBuffers } = process.memoryUsage();
	return heapUsed + external + arrayBuffers;
}

const open = (limit: number, window = 600) =>
	openRateLimit({
		policy: { limit, window },
		store: { kind: 'none' },
		secret: createSecretKey(randomBytes(32)),
	});

const hex = (number: number) => number.toString(16);
const inOneSite = (number: number) => `2001:db8:1:${hex(number % 65_536)}::1`;
const anywhere = (number: number) => `2001:${hex(number >> 16)}:${hex(number % 65_536)}:1::1`;

test('the networks of a site over its limit take no memory, and push out nobody', async () => {
	const limit = await open(1);
	await limit.count({ address: '192.0.2.1' });
	for (let number = 0; number < 20; number += 1) await limit.count({ address: inOneSite(number) });
	const before = inUse();
	for (let number = 20; number < 50_120; number += 1) await limit.count({ address: inOneSite(number) });
	expect(inUse() - before).toBeLessThan(1_000_000);
	expect((await limit.count({ address: '192.0.2.1' }))!.exceeded).toBe(true);
});

test('the memory for clients has an end, however many there are, and what was refused last stays so', async () => {
	const limit = await open(1);
	const count = async (from: number, to: number) => {
		for (let number = from; number < to; number += 1) await limit.count({ address: anywhere(number) });
	};
	await count(0, 55_000);
	const before = inUse();
	await count(55_000, 85_000);
	expect(inUse() - before).toBeLessThan(6_000_000);
	expect((await limit.count({ address: anywhere(84_000) }))!.exceeded).toBe(true);
});

test('a client is forgotten at the end of its window', async () => {
	const limit = await open(1, 1);
	const before = inUse();
	for (let number = 0; number < 20_000; number += 1) await limit.count({ address: anywhere(number) });
	await expect.poll(() => inUse() - before, { timeout: 10_000 }).toBeLessThan(4_500_000);
});
