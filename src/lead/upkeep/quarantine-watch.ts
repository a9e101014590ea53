import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type BackgroundWork, hourly } from '../background-work.ts';
import { ownEntry } from '../message/notice.ts';
import { keyedHash } from '../keyed-hash.ts';
import { NOTICE_PAUSE, type QuarantineNotice } from '../message/quarantine-notice.ts';
import { QUARANTINE_CAP } from './retention.ts';
import type { LeadStore } from '../store/store.ts';

export interface QuarantineWatchOptions {
	store: LeadStore;
	/** Names of the channels that deliver the notice. */
	channels: string[];
	log: Logger;
	/** Called when a notice is due. */
	onSaved: () => void;
}

/** In milliseconds: how long a notice waits for the store to note which possible leads it covers. They would never count as told if it went out first. */
const ANNOUNCE_TIME = 60_000;

/** Saves a notice of the possible leads in quarantine. Looks when nudged and every hour; saves one a day. */
export function watchQuarantine({ store, channels, log, onSaved }: QuarantineWatchOptions): BackgroundWork {
	const once = { key: keyedHash(store.secret, 'incident', 'quarantine'), lifetime: NOTICE_PAUSE };
	return hourly(async () => {
		try {
			// Lets the answer to the submission go out first: it must take no longer than that to a lead.
			await nextTurn();
			const number = channels.length > 0 ? await store.countUntold(QUARANTINE_CAP) : 0;
			if (number === 0) return;
			const notice: QuarantineNotice = { id: randomUUID(), receivedAt: new Date().toISOString(), number };
			const entry = ownEntry(notice, channels, once);
			if ((await store.insert({ ...entry, wait: ANNOUNCE_TIME })) !== 'inserted') return;
			await store.announce(notice.id);
			// Ends the wait: the notice is due now.
			await store.retry({ id: notice.id }, channels);
			log.warn({ number, told: channels }, 'Possible leads are in quarantine.');
			onSaved();
		} catch (error) {
			log.error({ err: error }, 'A notice of possible leads cannot be saved. Trying again within the hour.');
		}
	});
}
