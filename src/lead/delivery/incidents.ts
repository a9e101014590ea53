import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { type Notice, ownEntry } from '../message/notice.ts';
import { keyedHash } from '../keyed-hash.ts';
import type { LeadStore } from '../store/store.ts';

/** Tells the other channels that one is in trouble: after three failed tries of a delivery, or when one is parked; then weekly until it works. */
export interface Incidents {
	/** Reports a failed try. @returns whether the other channels have a notice to deliver */
	failed(channel: string, failure: { tries: number; parked: boolean; reason: string }): Promise<boolean>;
	/** Returns the mark of a channel's trouble, which ends with its next delivery. Undefined: nobody watches. */
	keyOf(channel: string): string | undefined;
}

/** A channel is in trouble when this many tries of one delivery failed. */
const PATIENCE = 3;
/** In milliseconds: the time between two notices about the same trouble. */
const REMINDER = 7 * 24 * 3600_000;

/** The store remembers which notices were sent: for all instances, and over restarts. @param noticeChannels those of the channels that get notices */
export function watchIncidents(store: LeadStore, log: Logger, noticeChannels: string[]): Incidents {
	const keyOf = (channel: string) => keyedHash(store.secret, 'incident', channel);

	return {
		async failed(channel, { tries, parked, reason }) {
			if (tries < PATIENCE && !parked) return false;
			const notice: Notice = { id: randomUUID(), receivedAt: new Date().toISOString(), channel, reason, parked };
			const key = keyOf(channel);
			const others = noticeChannels.filter((name) => name !== channel);
			const insertion = await store.insert(ownEntry(notice, others, { key, lifetime: REMINDER }));
			if (insertion !== 'inserted') return false;
			log.error({ channel, reason, told: others }, 'A channel keeps failing. Leads for it are kept.');
			return true;
		},
		keyOf,
	};
}
