/** The wait after each failed try, in seconds. After the last wait there is one more try; then the delivery is parked. */
export type RetrySchedule = number[];

/** The random part of a wait, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** In seconds: the longest wait that a receiver may ask for. A longer one is a mistake, and nobody would hear of the lead. */
const LONGEST = 24 * 3600;

/**
 * Returns the wait after the failed try of this number (the first is 1), in milliseconds, or undefined after the last.
 *
 * @param retryAfter the receiver's request, in seconds: the next try is never sooner, unless that is more than a day
 */
export function waitAfter(schedule: RetrySchedule, tries: number, retryAfter = 0): number | undefined {
	const wait = schedule[tries - 1];
	if (wait === undefined) return undefined;
	const moved = wait * (1 + JITTER * (2 * Math.random() - 1));
	return Math.round(Math.max(moved, Math.min(retryAfter, LONGEST)) * 1000);
}
