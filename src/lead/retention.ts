import type { Logger } from 'pino';
import { nudged, type Nudged } from './nudged.ts';
import type { LeadStore } from './store/store.ts';

/** How many quarantined submissions are kept: a flood of them pushes out the oldest. */
export const QUARANTINE_CAP = 1000;
/** In milliseconds. */
const INTERVAL = 3600_000;

/**
 * Deletes what has done its work: now, every hour, and when nudged.
 *
 * @param retention how long a delivered lead is kept, in seconds
 */
export function startRetention(store: LeadStore, retention: number, log: Logger): Pick<Nudged, 'nudge' | 'stop'> {
	const { nudge, stop } = nudged(purge);
	const timer = setInterval(nudge, INTERVAL).unref();
	nudge();
	return {
		nudge,
		stop() {
			clearInterval(timer);
			return stop();
		},
	};

	async function purge(): Promise<void> {
		try {
			const purged = await purgeStore(store, retention);
			if (purged > 0) log.info({ purged }, 'Leads were deleted: their time is over.');
		} catch (error) {
			log.error({ err: error }, 'The store cannot purge. It is tried again within the hour.');
		}
	}
}

/**
 * Deletes what has done its work.
 *
 * @param retention how long a delivered lead is kept, in seconds
 * @returns how many entries were deleted
 */
export function purgeStore(store: LeadStore, retention: number): Promise<number> {
	const now = Date.now();
	return store.purge({ receivedBefore: now - retention * 1000, quarantineCap: QUARANTINE_CAP, now });
}
