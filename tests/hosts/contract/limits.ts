import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { paths } from '../../../src/facts/links.ts';
import { fetchRaw } from '../../support/fetch-raw.ts';
import { leadOf } from '../../support/post-lead.ts';
import { shared } from '../../support/shared.ts';
import type { Host } from './host.ts';

/** Two of this machine's addresses: two clients. */
const [CLIENT, ANOTHER] = ['127.0.0.1', '127.0.0.2'];

const newLead = () => leadOf({ message: randomUUID() });

/** Headers in which hosts and proxies name their client, and which any client may forge. */
const headers = [
	'cf-connecting-ip',
	'true-client-ip',
	'x-client-ip',
	'x-forwarded-for',
	'x-nf-client-connection-ip',
	'x-real-ip',
];

const forged = (address: string, trusted: string | undefined) => ({
	...Object.fromEntries(headers.filter((name) => name !== trusted).map((name) => [name, address])),
	forwarded: `for=${address}`,
});

/** Tests a host without a channel and with a limit of two leads. */
export const testLimits = (host: Host) =>
	describe('without a channel, and with a limit of two', () => {
		const running = shared(() => host.start({ LEAD_RATE_LIMIT: '2/10m' }));
		const post = async (body: object, localAddress?: string, headers = {}) => {
			const request = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
			return (await fetchRaw(running().url + paths.submitLead, { ...request, localAddress })).status;
		};

		test('a client is counted by its address, whatever it says of itself', async () => {
			const same = [];
			for (const number of [1, 2, 3]) same.push(await post(newLead(), CLIENT, forged(`192.0.2.${number}`, host.trusted)));
			expect(same).toEqual([503, 503, 429]);
			expect(await post(newLead(), ANOTHER)).toBe(503);
		});

		test('a lead that nobody would get is answered 503', async () => {
			expect(await post(newLead(), ANOTHER)).toBe(503);
		});
	});
