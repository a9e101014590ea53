import { createHmac, randomBytes } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How many leads one client may send in how many seconds: `LEAD_RATE_LIMIT`. */
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

/** Counts one request of a client; undefined when there is no limit. */
export type RateLimit = (client: string) => Promise<Quota | undefined>;

export function rateLimitOf(policy: RateLimitPolicy | undefined): RateLimit {
	if (policy === undefined) return () => Promise.resolve(undefined);
	const limiter = new RateLimiterMemory({ points: policy.limit, duration: policy.window });
	// Addresses are counted, never kept: the key lives as long as this process.
	const secret = randomBytes(32);

	return async (client) => {
		const key = createHmac('sha256', secret).update(client).digest('base64');
		try {
			return quotaOf(await limiter.consume(key), false);
		} catch (rejection) {
			if (rejection instanceof RateLimiterRes) return quotaOf(rejection, true);
			throw rejection;
		}
	};

	function quotaOf({ remainingPoints, msBeforeNext }: RateLimiterRes, exceeded: boolean): Quota {
		return { policy: policy!, remaining: remainingPoints, resetAfter: Math.ceil(msBeforeNext / 1000), exceeded };
	}
}
