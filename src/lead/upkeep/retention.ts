import type { Logger } from 'pino';
import { type BackgroundWork, hourly } from '../background-work.ts';
import type { LeadStore, Purged } from '../store/store.ts';

/** The most entries in quarantine that the sales team was told of, and the most that cannot be leads. */
export const QUARANTINE_CAP = 5000;
/** In milliseconds: how long the sales team has to look at a possible lead after a notice. */
const DECISION_TIME = 3 * 24 * 3600_000;
/** How many entries one step deletes: other work has its turn in between. */
const BATCH = 25;

export interface RetentionOptions {
	store: LeadStore;
	/** How long a delivered lead is kept, in seconds. */
	retention: number;
	/** Whether this process removes deleted rows from the files. Otherwise the database does. */
	scrubs: boolean;
	log: Logger;
	/** Whether the first run is an hour away: this process has just had one. */
	waits?: boolean;
}

/** Deletes old entries and API keys: now, every hour, and when nudged. */
export function startRetention({ store, retention, scrubs, log, waits }: RetentionOptions): BackgroundWork {
	// Rows that an earlier process deleted may still be in the files.
	let unscrubbed = scrubs;
	return hourly(async () => {
		try {
			const purged = await purgeStore(store, retention, log);
			if (!scrubs || (purged === 0 && !unscrubbed)) return;
			unscrubbed = !(await store.scrub());
			if (unscrubbed)
				log.warn(
					'What was deleted is still in the files of the store: another program reads them. Trying again within the hour.',
				);
		} catch (error) {
			// Some rows may be deleted all the same, and still be in the files.
			unscrubbed = scrubs;
			log.error({ err: error }, 'The store cannot purge. It is tried again within the hour.');
		}
	}, waits);
}

/**
 * Deletes old entries, and excess entries in quarantine.
 *
 * @param retention how long a delivered lead is kept, in seconds
 * @returns the number of deleted entries and API keys
 */
async function purgeStore(store: LeadStore, retention: number, log: Logger): Promise<number> {
	const limits = { age: retention * 1000, decisionTime: DECISION_TIME, cap: QUARANTINE_CAP, batch: BATCH };
	const sum: Purged = { aged: 0, excess: 0, done: false };
	try {
		while (!sum.done) {
			const { aged, excess, done } = await store.purge(limits);
			sum.aged += aged;
			sum.excess += excess;
			sum.done = done;
		}
	} finally {
		// A store that fails in between has deleted the earlier batches all the same.
		report(sum, log);
	}
	return sum.aged + sum.excess;
}

function report({ aged, excess }: Purged, log: Logger): void {
	if (aged > 0) log.info({ purged: aged }, 'Entries and API keys were deleted: their retention has ended.');
	if (excess > 0) log.warn({ purged: excess }, `Entries were deleted: quarantine keeps the newest ${QUARANTINE_CAP}.`);
}
