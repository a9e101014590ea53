/** How long to wait after each failed try, in seconds. One try more than there are waits; then a delivery is parked. */
export type RetrySchedule = number[];

/** By how much a wait is moved at random, so that what failed together does not come back together. */
const JITTER = 0.2;
/** In seconds: the longest that a receiver may ask for. What is longer is a mistake of theirs, and nobody would hear of the lead. */
const LONGEST = 24 * 3600;

/**
 * How long to wait after the failed try of this number (the first is 1), in milliseconds; undefined after the last.
 *
 * @param retryAfter what the receiver asked for, in seconds: never sooner, unless it is more than a day
 */
export function waitAfter(schedule: RetrySchedule, tries: number, retryAfter = 0): number | undefined {
	const wait = schedule[tries - 1];
	if (wait === undefined) return undefined;
	const moved = wait * (1 + JITTER * (2 * Math.random() - 1));
	return Math.round(Math.max(moved, Math.min(retryAfter, LONGEST)) * 1000);
}
