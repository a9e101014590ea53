import ipaddr from 'ipaddr.js';
import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
// Imported by its path: the package as a whole would bring its limiters for twenty databases into the bundle.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { RateLimitPolicy } from '../../values/rate-limit-policy.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { StoreSetting } from '../store/index.ts';

/** What is left for a client after this request. */
export interface Quota {
	policy: RateLimitPolicy;
	remaining: number;
	/** Seconds until the whole limit is free again. */
	resetAfter: number;
	exceeded: boolean;
}

/** Whom a request is counted for. */
interface Client {
	/** IP address, where it is known. */
	address: string | undefined;
	/** The API key that it was sent with, where that has a limit of its own: the address does not count then. */
	apiKey?: { id: string; limit: RateLimitPolicy } | undefined;
}

export interface RateLimit {
	/** Counts one request; undefined where there is no limit, or nothing to count by. */
	count(client: Client): Promise<Quota | undefined>;
	stop(): Promise<void>;
}

export interface RateLimitOptions {
	/** Undefined: no limit. */
	policy: RateLimitPolicy | undefined;
	/** PostgreSQL shares the count between instances; otherwise it is this process's own. */
	store: StoreSetting;
	/** Hashes the addresses, which are never kept. The same in every instance that shares a count. */
	secret: KeyObject;
	log: Logger;
}

/** Counts in this process or, where the store is PostgreSQL, with all that share it. */
export async function openRateLimit({ policy, store, secret, log }: RateLimitOptions): Promise<RateLimit> {
	if (policy === undefined) return noLimit;
	const { limit, window } = policy;
	const memory = new RateLimiterMemory({ points: limit, duration: window });
	const { limiter, stop } =
		store.kind === 'postgres' ? await sharedLimiter(store.url, memory, log) : { limiter: memory, stop: () => Promise.resolve() };

	/** The tightest of an address's quotas, the narrowest network first: a request that one refuses is not counted in the wider ones. */
	async function countAddress(address: string | undefined): Promise<Quota | undefined> {
		let tightest: Quota | undefined;
		for (const { network, width } of networksOf(address)) {
			const quota = await countIn(network, { limit: limit * width, window });
			if (tightest === undefined || isTighter(quota, tightest)) tightest = quota;
			if (quota.exceeded) break;
		}
		return tightest;
	}

	const hashOf = (client: string) => keyedHash(secret, 'client', client);

	async function countIn(network: string, policy: RateLimitPolicy): Promise<Quota> {
		return quotaOf(policy, await limiter.penalty(hashOf(network), 1, { customDuration: policy.window }));
	}

	return {
		count: ({ address, apiKey }) => (apiKey ? countIn(`key ${apiKey.id}`, apiKey.limit) : countAddress(address)),
		stop,
	};
}

/** Counts nothing. */
export const noLimit: RateLimit = {
	count: () => Promise.resolve(undefined),
	stop: () => Promise.resolve(),
};

function quotaOf(policy: RateLimitPolicy, { consumedPoints, msBeforeNext }: RateLimiterRes): Quota {
	return {
		policy,
		remaining: Math.max(policy.limit - consumedPoints, 0),
		resetAfter: Math.ceil(msBeforeNext / 1000),
		exceeded: consumedPoints > policy.limit,
	};
}

/** Whether a quota leaves less than another, or as little for longer. */
const isTighter = (quota: Quota, other: Quota) =>
	quota.remaining < other.remaining || (quota.remaining === other.remaining && quota.resetAfter > other.resetAfter);

/** Counts in the database, and in memory while it is away. */
async function sharedLimiter(connectionString: string, memory: RateLimiterMemory, log: Logger) {
	const { default: pg } = await import('pg');
	const { default: RateLimiterPostgres } = await import('rate-limiter-flexible/lib/RateLimiterPostgres.js');
	const pool = new pg.Pool({ connectionString, max: 2, connectionTimeoutMillis: 1000, query_timeout: 1000 });
	// The pool replaces a broken connection by itself. Without a listener the event would end the process.
	pool.on('error', () => {});
	const { points, duration } = memory;
	const options = { storeClient: pool, tableName: 'lead_rate_limits', keyPrefix: '', points, duration, insuranceLimiter: memory };
	const limiter: RateLimiterAbstract = await new Promise((resolve) => {
		const shared = new RateLimiterPostgres(options, (error) => {
			if (error) log.warn({ err: error }, 'The rate limit is not shared: its table cannot be made.');
			resolve(error ? memory : shared);
		});
	});
	return { limiter, stop: () => pool.end() };
}

/** The addresses that are counted together, and how many times the limit of one client they may send. */
interface Network {
	network: string;
	width: number;
}

/**
 * Whoever has an IPv6 address has the other 2^64 of its network as well (RFC 4291 section 2.5.1), and a site may have 65,536 of
 * these networks (RFC 6177 section 2).
 */
function networksOf(address = ''): Network[] {
	if (!ipaddr.isValid(address)) return [];
	const parsed = ipaddr.process(address);
	if (!(parsed instanceof ipaddr.IPv6)) return [{ network: parsed.toString(), width: 1 }];
	const prefix = (parts: number) => parsed.parts.slice(0, parts).join(':');
	return [
		{ network: prefix(4), width: 1 },
		{ network: prefix(3), width: 10 },
	];
}

/** draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4; RFC 9110 section 10.2.3. */
export function quotaHeaders(quota: Quota | undefined): Record<string, string> {
	if (quota === undefined) return {};
	const { policy, remaining, resetAfter, exceeded } = quota;
	return {
		'ratelimit-policy': `"default";q=${policy.limit};w=${policy.window}`,
		ratelimit: `"default";r=${remaining};t=${resetAfter}`,
		...(exceeded ? { 'retry-after': String(resetAfter) } : {}),
	};
}
