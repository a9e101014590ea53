import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type BackgroundWork, hourly } from '../background-work.ts';
import { ownEntry } from '../message/notice.ts';
import { keyedHash } from '../keyed-hash.ts';
import { NOTICE_PAUSE, type QuarantineNotice } from '../message/quarantine-notice.ts';
import { POSSIBLE_CAP } from './retention.ts';
import type { LeadStore } from '../store/store.ts';

export interface QuarantineWatchOptions {
	store: LeadStore;
	/** Names of the channels that deliver the notice. */
	channels: string[];
	log: Logger;
	/** Called when a notice is due. */
	onSaved: () => void;
}

/** This many possible leads get a notice at once, before quarantine is full and earlier announced leads are deleted. */
const FLOOD = POSSIBLE_CAP / 2;
/** In milliseconds: the pause between two such notices. */
const FLOOD_PAUSE = 60_000;
/** In milliseconds: how long a notice waits for the store to note which possible leads it covers. They would never count as told if it went out first. */
const ANNOUNCE_TIME = 60_000;

/** Saves a notice of the possible leads in quarantine. Looks when nudged and every hour; saves one a day, or more in a flood. */
export function watchQuarantine({ store, channels, log, onSaved }: QuarantineWatchOptions): BackgroundWork {
	const onceOf = (name: string, lifetime: number) => ({ key: keyedHash(store.secret, 'incident', name), lifetime });
	const [daily, flood] = [onceOf('quarantine', NOTICE_PAUSE), onceOf('quarantine flood', FLOOD_PAUSE)];
	return hourly(async () => {
		try {
			// Lets the answer to the submission go out first: it must take no longer than that to a lead.
			await nextTurn();
			const number = channels.length > 0 ? await store.countUntold(FLOOD) : 0;
			if (number === 0) return;
			const notice: QuarantineNotice = { id: randomUUID(), receivedAt: new Date().toISOString(), number };
			const entry = ownEntry(notice, channels, number < FLOOD ? daily : flood);
			if ((await store.insert({ ...entry, wait: ANNOUNCE_TIME })) !== 'inserted') return;
			await store.announce(notice.id);
			// Ends the wait: the notice is due now.
			await store.retry({ id: notice.id });
			log.warn({ number, told: channels }, 'Possible leads are in quarantine.');
			onSaved();
		} catch (error) {
			log.error({ err: error }, 'A notice of possible leads cannot be saved. Trying again within the hour.');
		}
	});
}
