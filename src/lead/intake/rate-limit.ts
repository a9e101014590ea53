import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import { networksOf } from '../../http/network.ts';
import type { RateLimitPolicy } from '../../values/rate-limit-policy.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { StoreSetting } from '../store/index.ts';
import { type Count, memoryCounter, openSharedCounts, type RateCounter } from './rate-counter.ts';

/** A client has a limit on each: on leads, on submissions, counted before they are checked, and on guessed API keys. */
export type Counted = 'lead' | 'submission' | 'guess';

interface Policy extends RateLimitPolicy {
	counted: Counted;
}

/** The rest of a client's limit after this request. */
export interface Quota {
	policy: Policy;
	remaining: number;
	/** Seconds until the whole limit is available again. */
	resetAfter: number;
	exceeded: boolean;
}

/** The client that a request is counted for. */
interface Client {
	/** IP address, if it is known. */
	address: string | undefined;
	/** The API key of the request, if it has its own limit: then the address does not count. */
	apiKey?: { id: string; limit: RateLimitPolicy } | undefined;
	/** Whether it came with the public test key: such requests are counted apart, so that they leave the limit of leads alone. */
	test?: boolean | undefined;
}

export interface RateLimit {
	/** Counts one request. Returns undefined if there is no limit, or no client to count for. */
	count(client: Client, counted?: Counted): Promise<Quota | undefined>;
	stop(): Promise<void>;
}

export interface RateLimitOptions {
	/** How many leads a client may send, and {@link SUBMISSIONS} times as many submissions. Undefined: no limit. */
	policy: RateLimitPolicy | undefined;
	/** PostgreSQL shares the count between instances. Otherwise each process has its own. */
	store: StoreSetting;
	/** Hashes the addresses, which are never kept. All instances that share a count need the same secret. */
	secret: KeyObject;
	log: Logger;
}

/** Counts in this process or, if the store is PostgreSQL, together with all instances that share it. */
export async function openRateLimit({ policy, store, secret, log }: RateLimitOptions): Promise<RateLimit> {
	if (policy === undefined) return noLimit;
	const database = store.kind === 'postgres' ? await openSharedCounts(store.url, log) : undefined;
	const counters = new Map<string, RateCounter>();

	/** Returns the counter of one kind of client. In memory each kind has its own, so that a flood of one pushes out no other. */
	function counterOf(kind: string): RateCounter {
		let counter = counters.get(kind);
		if (counter === undefined) {
			const memory = memoryCounter();
			counter = database?.counter(memory) ?? memory;
			counters.set(kind, counter);
		}
		return counter;
	}

	/**
	 * Counts a request in its network and, for IPv6, its site (48 bits). Returns the tighter quota. What one refuses does not count in
	 * the other: a network cannot use up its site, and a full site adds nothing to memory.
	 */
	async function countAddress({ address, test }: Client, policy: Policy): Promise<Quota | undefined> {
		if (address === undefined) return undefined;
		const [network, site] = networksOf(address);
		const kind = `${test ? 'test' : ''} ${policy.counted}`;
		const ofSite = { ...policy, limit: policy.limit * SITE };
		const before =
			site === undefined ? undefined : await counterOf(`${kind} site`).read(hashOf(`${kind} site`, site), policy.window);
		// This request is not counted: the 1 only makes the quota exceeded.
		if (before && before.requests >= ofSite.limit) return quotaOf(ofSite, { ...before, requests: before.requests + 1 });
		const own = await countIn(kind, network!, policy);
		if (site === undefined || own.exceeded) return own;
		return tighter(own, await countIn(`${kind} site`, site, ofSite))!;
	}

	const hashOf = (kind: string, client: string) => keyedHash(secret, 'client', `${kind} ${client}`);

	async function countIn(kind: string, client: string, policy: Policy): Promise<Quota> {
		return quotaOf(policy, await counterOf(kind).add(hashOf(kind, client), policy.window));
	}

	return {
		count({ apiKey, ...client }, counted = 'lead') {
			const { limit, window } = apiKey?.limit ?? policy;
			const counting = { counted, limit: counted === 'submission' ? limit * SUBMISSIONS : limit, window };
			return apiKey ? countIn(`key ${counted}`, apiKey.id, counting) : countAddress(client, counting);
		},
		stop: () => database?.stop() ?? Promise.resolve(),
	};
}

/** An IPv6 site may send this many times the limit of one client. */
const SITE = 10;
/** A client may send this many times its limit of leads in all, so that mistyped forms use up no leads. */
export const SUBMISSIONS = 10;

export const noLimit: RateLimit = {
	count: () => Promise.resolve(undefined),
	stop: () => Promise.resolve(),
};

function quotaOf(policy: Policy, { requests, endsAt }: Count): Quota {
	return {
		policy,
		remaining: Math.max(policy.limit - requests, 0),
		resetAfter: Math.max(Math.ceil((endsAt - Date.now()) / 1000), 0),
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
