/** How long to wait after each failed try, in seconds. One try more than there are waits; then a delivery is parked. */
export type RetrySchedule = number[];

/** By how much a wait is moved at random, so that what failed together does not come back together. */
const JITTER = 0.2;

/**
 * When to try again after the failed try of this number (the first is 1); undefined after the last.
 *
 * @param retryAfter what the receiver asked for, in seconds: never sooner
 * @returns milliseconds since the epoch
 */
export function nextTry(schedule: RetrySchedule, tries: number, now: number, retryAfter = 0): number | undefined {
	const wait = schedule[tries - 1];
	if (wait === undefined) return undefined;
	const moved = wait * (1 + JITTER * (2 * Math.random() - 1));
	return Math.round(now + Math.max(moved, retryAfter) * 1000);
}
