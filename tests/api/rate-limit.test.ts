import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { countHere, limitTo, networksOf, quotaHeaders } from '../../src/api/rate.ts';
import type { RequestCounts } from '../../src/store/request-counts.ts';
import { linkSecret } from '../support/lead.ts';

afterEach(() => void vi.useRealTimers());

const WINDOW = 600_000;

const limited = (limit: number, counts?: RequestCounts) =>
	limitTo({ limit, window: WINDOW / 1000 }, counts, linkSecret, pino({ level: 'silent' }));

test('a client is counted until its window ends, and a clock that is set back changes nothing', async () => {
	const counter = countHere();
	expect(await counter.add('one', WINDOW)).toMatchObject({ requests: 1 });
	await counter.add('other', 50);
	vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - WINDOW });
	await expect.poll(() => counter.read('other', 50)).toBeUndefined();
	expect(await counter.add('other', 50)).toMatchObject({ requests: 1 });
	const { requests, rest } = await counter.add('one', WINDOW);
	expect(requests).toBe(2);
	expect(rest).toBeLessThanOrEqual(WINDOW);
});

test('an IPv6 site may send ten times as much as a network, which uses up no more of that than its own limit', async () => {
	const limit = limited(1);
	const send = (network: number, site = 0) => limit({ address: `2001:db8:${site}:${network}::1` }, 'lead');
	const [ofNetwork, ofSite] = [{ limit: 1 }, { limit: 10 }];
	expect(await send(0)).toMatchObject({ exceeded: false, policy: ofNetwork });
	for (let again = 0; again < 3; again += 1) expect(await send(0)).toMatchObject({ exceeded: true, policy: ofNetwork });
	for (let network = 1; network < 10; network += 1) expect(await send(network)).toMatchObject({ exceeded: false });
	expect(await send(10)).toMatchObject({ exceeded: true, policy: ofSite });
	expect(await send(1, 1)).toMatchObject({ exceeded: false, policy: ofNetwork });
});

test('a request that is taken back does not count, for the network nor for a full site, and none counts as less than none', async () => {
	const limit = limited(1);
	const send = (network: number, by?: -1) => limit({ address: `2001:db8:0:${network}::1` }, 'lead', by);
	expect([await send(10, -1), await send(10, -1)]).toMatchObject([{ remaining: 1 }, { remaining: 1 }]);
	for (let network = 0; network < 10; network += 1) expect(await send(network)).toMatchObject({ exceeded: false });
	expect(await send(10)).toMatchObject({ exceeded: true });
	expect(await send(0, -1)).toMatchObject({ remaining: 1 });
	expect([await send(10), await send(0)]).toMatchObject([{ exceeded: false }, { exceeded: true }]);
});

test('50,000 clients are remembered, and the one whose window began first is forgotten for the next', async () => {
	const counter = countHere();
	for (let client = 0; client < 50_000; client += 1) await counter.add(String(client), WINDOW);
	expect(await counter.add('0', WINDOW)).toMatchObject({ requests: 2 });
	await counter.add('one more', WINDOW);
	expect([await counter.read('0', WINDOW), await counter.read('1', WINDOW)]).toEqual([undefined, expect.anything()]);
});

test.each([
	[WINDOW + 1, 600],
	[WINDOW - 1000, 599],
	[-1, 0],
])('of a window whose rest is %i ms a client reads %i s, which is never more than the window', async (rest, seconds) => {
	const counts = { add: async () => ({ requests: 1, rest }), read: async () => undefined };
	const limit = limited(3, counts);
	expect(quotaHeaders(await limit({ address: '192.0.2.1' }, 'lead'))).toMatchObject({ ratelimit: `"default";r=2;t=${seconds}` });
});

test.each([
	['192.0.2.1', '::ffff:192.0.2.1', 1],
	['192.0.2.1', '192.0.2.2', 0],
	['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', 2],
	['2001:db8:1:2::1', '2001:db8:1:3::1', 1],
	['2001:db8:1:2::1', '2001:db8:2:2::1', 0],
	['fe80::1%br-lan', 'fe80::2%eth0.1', 2],
	['unknown', '_hidden', 1],
])('%s and %s share %i networks that are counted', (one, other, shared) => {
	expect(networksOf(one).filter((network) => networksOf(other).includes(network))).toHaveLength(shared);
});
