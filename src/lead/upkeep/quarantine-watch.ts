import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { type BackgroundWork, hourly } from '../delivery/background-work.ts';
import { ownEntry } from '../delivery/notice.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { ReceivedLead } from '../delivery/message.ts';
import { faultsOf } from '../intake/quarantine.ts';
import { NOTICE_PAUSE, type QuarantineNotice, SHOWN } from './quarantine-notice.ts';
import type { LeadStore, StoredEntry } from '../store/store.ts';

export interface QuarantineWatchOptions {
	store: LeadStore;
	/** Names of the channels that are told. */
	channels: string[];
	log: Logger;
	/** Called when a notice is due. */
	saved: () => void;
}

/** Saves a notice of what lies in quarantine and could be a lead: looks when nudged and every hour, and tells once a day at most. */
export function watchQuarantine({ store, channels, log, saved }: QuarantineWatchOptions): BackgroundWork {
	const key = keyedHash(store.secret, 'incident', 'quarantine');
	let reviewed = false;
	return hourly(async () => {
		try {
			const found = channels.length > 0 ? await possibleLeads() : [];
			if (found.length > 0 && (await tell(found))) saved();
		} catch (error) {
			log.error({ err: error }, 'The store cannot say what lies in quarantine. Looking again within the hour.');
		}
	});

	/**
	 * Ids of those that nobody was told of. An earlier version of this program did not check what it put into quarantine, so at the first
	 * look of a process those that could be no lead are sorted out.
	 */
	async function possibleLeads(): Promise<string[]> {
		const waiting = await store.awaitingNotice();
		if (reviewed || waiting.length === 0) return waiting;
		const faulty = (await store.quarantined(waiting)).filter(isFaulty).map(({ id }) => id);
		await store.markNotified(faulty);
		reviewed = true;
		return waiting.filter((id) => !faulty.includes(id));
	}

	async function tell(ids: string[]): Promise<boolean> {
		const notice: QuarantineNotice = {
			id: randomUUID(),
			receivedAt: new Date().toISOString(),
			number: ids.length,
			shown: ids.slice(0, SHOWN),
		};
		const insertion = await store.insert(ownEntry(notice, channels, { key, lifetime: NOTICE_PAUSE }));
		if (insertion !== 'inserted') return false;
		await store.markNotified(ids);
		log.warn({ number: ids.length, told: channels }, 'Possible leads lie in quarantine.');
		return true;
	}
}

const isFaulty = ({ payload }: StoredEntry) => faultsOf((JSON.parse(payload) as Partial<ReceivedLead>).lead ?? {}).length > 0;
