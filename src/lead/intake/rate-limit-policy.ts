/** How many leads one client may send in how many seconds. */
export interface RateLimitPolicy {
	limit: number;
	/** In seconds. */
	window: number;
}
