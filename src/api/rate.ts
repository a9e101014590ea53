import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { parseIp, type RateLimitPolicy } from '../lead/values.ts';
import { events } from '../lead/lead.ts';
import { keyedHash } from '../lead/email-address.ts';
import { outageLog } from '../store/database.ts';
import type { RequestCount, RequestCounts } from '../store/request-counts.ts';

/** A client has a limit on each: leads, submissions before they are checked, and API keys that the store does not know. */
type Counted = 'lead' | 'submission' | 'guess';

/** The API key of a request. Only the public test key, which belongs to everybody, has no id and no limit of its own. */
export type Credential = { id?: string; limit?: RateLimitPolicy; test?: true };

/** The client that a request is counted for. */
export interface Client {
	/** IP address, if it is known. */
	address: string | undefined;
	/** If it has its own limit, the address does not count. */
	apiKey?: Credential;
}

type Policy = RateLimitPolicy & { counted: Counted };

/** The rest of a client's limit after this request. */
export interface Quota {
	policy: Policy;
	remaining: number;
	/** Seconds until the whole limit is available again. */
	resetAfter: number;
	exceeded: boolean;
}

/** Counts one request, or takes one back, with -1. Returns undefined if there is no client to count for. */
export type RateLimit = (client: Client, counted: Counted, by?: 1 | -1) => Promise<Quota | undefined>;

/** An IPv6 site may send this many times the limit of one client. */
const CLIENTS_OF_SITE = 10;
/** A client may send this many times its limit of leads in all, so that mistyped forms use up no leads. */
export const SUBMISSIONS_PER_LEAD = 10;

/**
 * Returns the function that limits each client.
 * @param usual how many leads a client may send, and {@link SUBMISSIONS_PER_LEAD} times as many submissions
 * @param shared counts for all instances. Undefined: this process counts alone, as it does while the store cannot
 * @param secret hashes the addresses, which no store may hold. All instances that share a count need the same secret
 */
export function limitTo(usual: RateLimitPolicy, shared: RequestCounts | undefined, secret: KeyObject, log: Logger): RateLimit {
	const counts = shared ? withFallback(shared, secret, log) : countHere();

	return async ({ address, apiKey }, counted, by = 1) => {
		const count = async (client: string, policy: Policy) => quotaOf(policy, await counts.add(client, policy.window * 1000, by));
		const { limit: leads, window } = apiKey?.limit ?? usual;
		const policy = { counted, limit: counted === 'submission' ? leads * SUBMISSIONS_PER_LEAD : leads, window };
		if (apiKey?.limit) return count(`key ${counted} ${apiKey.id}`, policy);
		if (address === undefined) return undefined;
		const kind = `${apiKey?.test ? 'test' : ''} ${counted}`;
		const [network, site] = networksOf(address).map((range) => `${kind} ${range}`);
		if (site === undefined) return count(network!, policy);
		// A request that the network or its site refuses does not count in the other: a network cannot use up its site, and a full
		// site adds nothing to memory.
		const ofSite = { ...policy, limit: policy.limit * CLIENTS_OF_SITE };
		const before = await counts.read(site, window * 1000);
		// This request is not counted: the 1 only makes the quota exceeded.
		if (by > 0 && before && before.requests >= ofSite.limit) return quotaOf(ofSite, { ...before, requests: before.requests + 1 });
		const own = await count(network!, policy);
		return own.exceeded ? own : tighter(own, await count(site, ofSite));
	};
}

/**
 * Returns the networks that count an IP address, the narrowest first. For IPv4 that is the address itself. For IPv6 it is the
 * network of 64 bits, of which one client may have every address (RFC 4291 section 2.5.1), and the site of 48 bits, which may
 * have 65,536 such networks (RFC 6177 section 2). All texts that are no IP address count as one.
 */
export function networksOf(address: string): string[] {
	const version = isIP(address);
	if (version === 0) return ['unknown'];
	// IPv4 has one form only, so it needs no parsing, which takes longer than counting.
	if (version === 4) return [address];
	const ip = parseIp(address);
	if (!(ip instanceof ipaddr.IPv6)) return [ip.toString()];
	return [4, 3].map((parts) => ip.parts.slice(0, parts).join(':'));
}

const watchCounts = outageLog(
	'The store cannot count requests: until it can, each instance limits by itself.',
	'The store counts requests again.',
);

/** Counts in the store, or in this process while the store cannot. */
function withFallback(shared: RequestCounts, secret: KeyObject, log: Logger): RequestCounts {
	const here = countHere();
	const hashOf = (client: string) => keyedHash(secret, 'client', client);
	return {
		read: (client, window) => shared.read(hashOf(client), window).catch(() => here.read(client, window)),
		add: (client, window, by) =>
			watchCounts(log, () => shared.add(hashOf(client), window, by), { metric: 'requests_counted_alone_total' }).catch(() => {
				events.emit('countedAlone', {});
				return here.add(client, window, by);
			}),
	};
}

/**
 * The most clients that a process remembers. Beyond that it forgets the client whose window began first. Who wants to be forgotten must
 * imitate this many others, whose own limits allow more than that gains.
 */
const MOST = 50_000;

/** Counts in this process, by a clock that nobody sets. Forgets clients in the order in which their windows began. */
export function countHere(): RequestCounts {
	// Only `peek` reads it, so that a client keeps its place in the order. With a `max` of its own it would take room for all at the start.
	const windows = new LRUCache<string, { requests: number }>({ ttl: 1, ttlAutopurge: true });
	const countOf = (client: string, { requests }: { requests: number }) => ({ requests, rest: windows.getRemainingTTL(client) });
	return {
		async read(client) {
			const window = windows.peek(client);
			return window && countOf(client, window);
		},
		async add(client, ttl, by = 1) {
			const running = windows.peek(client);
			const window = running ?? { requests: 0 };
			window.requests = Math.max(window.requests + by, 0);
			if (!running && windows.size >= MOST) windows.pop();
			if (!running) windows.set(client, window, { ttl });
			return countOf(client, window);
		},
	};
}

function quotaOf(policy: Policy, { requests, rest }: RequestCount): Quota {
	return {
		policy,
		remaining: Math.max(policy.limit - requests, 0),
		// A clock may say a little more than the whole window.
		resetAfter: Math.min(Math.max(Math.ceil(rest / 1000), 0), policy.window),
		exceeded: requests > policy.limit,
	};
}

/** Returns the quota that leaves less or, if both leave the same, the one that lasts longer. */
export function tighter(one: Quota | undefined, other: Quota | undefined): Quota | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	const difference = other.remaining - one.remaining || one.resetAfter - other.resetAfter;
	return difference < 0 ? other : one;
}

/** draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4; RFC 9110 section 10.2.3. */
export function quotaHeaders(quota: Quota | undefined): Record<string, string> {
	if (quota === undefined) return {};
	const { policy, remaining, resetAfter, exceeded } = quota;
	const name = policy.counted === 'submission' ? '"submissions"' : '"default"';
	return {
		'ratelimit-policy': `${name};q=${policy.limit};w=${policy.window}`,
		ratelimit: `${name};r=${remaining};t=${resetAfter}`,
		...(exceeded ? { 'retry-after': String(resetAfter) } : {}),
	};
}
