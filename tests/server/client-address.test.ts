import { expect, test } from 'vitest';
import { clientAddress } from '../../src/server/handler.ts';

type Text = string | undefined;
test.each<[what: string, address: Text, forwardedFor: Text, hops: number, expected: Text, missing?: number]>([
	['one proxy: what it appended', '10.0.0.1', '203.0.113.9', 1, '203.0.113.9'],
	['two proxies', '10.0.0.1', '198.51.100.1, 203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
	['a proxy that did not append: the furthest we know', '10.0.0.1', undefined, 1, '10.0.0.1'],
	['fewer entries than proxies: the furthest we know', '10.0.0.1', '203.0.113.9, 10.0.0.2', 3, '203.0.113.9'],
	['a proxy that writes the port too', '10.0.0.1', '198.51.100.1, 203.0.113.9:4711', 1, '203.0.113.9'],
	['the same of IPv6', '10.0.0.1', '[2001:db8::1]:4711', 1, '2001:db8::1'],
	['IPv6 without a port', '10.0.0.1', '2001:db8::1', 1, '2001:db8::1'],
	['a proxy that wrote no address: its own', '10.0.0.1', '198.51.100.1, unknown', 1, '10.0.0.1', 1],
	['the same, a number', '10.0.0.1', '3405803785', 1, '10.0.0.1', 1],
	['the same, and nobody says who calls us: one for all', undefined, 'unknown', 1, 'unknown', 1],
	['nobody says who calls us, but one proxy', undefined, '198.51.100.1, 203.0.113.9', 1, '203.0.113.9'],
	['nobody says who calls us, and a proxy that did not append', undefined, undefined, 1, undefined],
])('%s', (_, address, forwardedFor, hops, expected, missing = 0) => {
	let calls = 0;
	const headers = new Headers(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor });
	expect([clientAddress({ address, headers }, hops, () => (calls += 1)), calls]).toEqual([expected, missing]);
});
