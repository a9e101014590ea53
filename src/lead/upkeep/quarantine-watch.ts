import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { type BackgroundWork, hourly } from '../delivery/background-work.ts';
import { noticeEntry } from '../delivery/notice.ts';
import { keyedHash } from '../intake/once.ts';
import type { ReceivedLead } from '../delivery/message.ts';
import { faultsOf } from '../intake/quarantine.ts';
import { NOTICE_PAUSE, type QuarantineNotice, SHOWN } from './quarantine-notice.ts';
import type { LeadStore, StoredEntry } from '../store/store.ts';

export interface QuarantineWatchOptions {
	store: LeadStore;
	/** Names of the channels that are told. */
	channels: string[];
	log: Logger;
	/** Called when there is something to tell. */
	saved: () => void;
}

/** Sees to it that somebody is told of what lies in quarantine and could be a lead: when nudged and every hour, once a day at most. */
export function watchQuarantine({ store, channels, log, saved }: QuarantineWatchOptions): BackgroundWork {
	const key = keyedHash(store.secret, 'incident', 'quarantine');
	let reviewed = false;
	return hourly(async () => {
		try {
			const untold = channels.length > 0 ? await possibleLeads() : [];
			if (untold.length > 0 && (await tell(untold))) saved();
		} catch (error) {
			log.error({ err: error }, 'The store cannot say what lies in quarantine. Looking again within the hour.');
		}
	});

	/** What an earlier version has left was not looked at when it came, so the first time all are. */
	async function possibleLeads(): Promise<string[]> {
		const untold = await store.untold();
		if (reviewed || untold.length === 0) return untold;
		const faulty = (await store.quarantined(untold)).filter(isFaulty).map(({ id }) => id);
		await store.told(faulty);
		reviewed = true;
		return untold.filter((id) => !faulty.includes(id));
	}

	async function tell(untold: string[]): Promise<boolean> {
		const notice: QuarantineNotice = {
			id: randomUUID(),
			receivedAt: new Date().toISOString(),
			number: untold.length,
			shown: untold.slice(0, SHOWN),
		};
		const insertion = await store.insert(noticeEntry(notice, channels, { key, lifetime: NOTICE_PAUSE }));
		if (insertion !== 'inserted') return false;
		await store.told(untold);
		log.warn({ number: untold.length, told: channels }, 'Possible leads lie in quarantine.');
		return true;
	}
}

const isFaulty = ({ payload }: StoredEntry) => faultsOf((JSON.parse(payload) as Partial<ReceivedLead>).lead ?? {}).length > 0;
