import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
// The package as a whole would bring its limiters for twenty databases.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { keyedHash } from './once.ts';

/** How many leads one client may send in how many seconds. */
export interface RateLimitPolicy {
	limit: number;
	/** In seconds. */
	window: number;
}

/** What is left for a client after this request. */
export interface Quota {
	policy: RateLimitPolicy;
	remaining: number;
	/** Seconds until the whole limit is free again. */
	resetAfter: number;
	exceeded: boolean;
}

export interface RateLimit {
	/** Counts one request of a client, by its address; undefined where there is no limit. */
	count(address: string): Promise<Quota | undefined>;
	stop(): Promise<void>;
}

export interface RateLimitOptions {
	/** Undefined: no limit. */
	policy: RateLimitPolicy | undefined;
	/** A PostgreSQL URL shares the count between instances; otherwise it is this process's own. */
	store: string;
	/** Addresses are counted, never kept: this makes the keys. The same in every instance that shares a count. */
	secret: Buffer;
	log: Logger;
}

export async function openRateLimit({ policy, store, secret, log }: RateLimitOptions): Promise<RateLimit> {
	if (policy === undefined) return { count: () => Promise.resolve(undefined), stop: () => Promise.resolve() };
	const memory = new RateLimiterMemory({ points: policy.limit, duration: policy.window });
	const { limiter, stop } = store.startsWith('postgres')
		? await sharedLimiter(store, memory, log)
		: { limiter: memory, stop: () => Promise.resolve() };

	return {
		stop,
		async count(address) {
			const answer = await limiter.consume(keyedHash(secret, 'client', networkOf(address))).catch((rejection: unknown) => {
				if (rejection instanceof RateLimiterRes) return rejection;
				throw rejection;
			});
			return {
				policy,
				remaining: answer.remainingPoints,
				resetAfter: Math.ceil(answer.msBeforeNext / 1000),
				exceeded: answer.consumedPoints > policy.limit,
			};
		},
	};
}

/** Counts in the database, and in memory while it is away. */
async function sharedLimiter(connectionString: string, memory: RateLimiterMemory, log: Logger) {
	const { default: pg } = await import('pg');
	const { default: RateLimiterPostgres } = await import('rate-limiter-flexible/lib/RateLimiterPostgres.js');
	const pool = new pg.Pool({ connectionString, max: 2, connectionTimeoutMillis: 1000, query_timeout: 1000 });
	// The pool drops a broken connection by itself; unheard, the event would end the process.
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

/** Whoever has an IPv6 address has the other 2^64 of its network as well (RFC 4291 section 2.5.1). */
function networkOf(address: string): string {
	if (!ipaddr.isValid(address)) return address;
	const parsed = ipaddr.process(address);
	return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
