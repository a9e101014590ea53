import { type Channel, channelsFor, namesOf } from '../channels/channel.ts';
import { contentOf } from '../channels/entry.ts';
import { traitsToLearn } from '../outbox/traits.ts';
import type { LeadStore, StoredEntry } from '../store/store.ts';
import { faultsOf } from './honeypot.ts';

/** Remembers what people say of a lead. @returns false if there is nothing in it to know others by */
export async function train(entry: StoredEntry, verdict: 'spam' | 'clear', store: LeadStore): Promise<boolean> {
	const traits = traitsToLearn(store.secret, contentOf(entry).lead ?? {});
	await store.train(entry.id, { verdict, signals: entry.spam?.signals ?? [] }, traits);
	return traits.length > 0;
}

/**
 * Says that a lead is no spam, and delivers it to those of the channels that get it, if it is in quarantine.
 *
 * @returns what is missing in one that cannot be delivered, by code; `known`: there is something in it to know others by; `released`: to which
 * channels, if it was in quarantine
 */
export async function release(entry: StoredEntry, channels: Channel[], store: LeadStore) {
	const isHeld = entry.state === 'quarantined';
	const { lead } = contentOf(entry);
	const faults = !isHeld ? [] : lead ? faultsOf(lead) : ['unreadable'];
	if (faults.length > 0) return { faults };
	// First, so that it is not delivered as one that looks like spam.
	const known = await train(entry, 'clear', store);
	const names = namesOf(channelsFor(channels, lead ?? {}));
	return { faults, known, released: isHeld && (await store.release(entry.id, names)) ? names : undefined };
}

/** Tries to deliver one entry again, or all that are stuck, each over those of the channels that get it. @returns how many deliveries are due */
export const retry = (which: Parameters<LeadStore['retry']>[0], channels: Channel[], store: LeadStore): Promise<number> =>
	store.retry(which, namesOf(channels), (entry) =>
		namesOf(channelsFor(channels, entry.kind === 'lead' ? (contentOf(entry).lead ?? {}) : undefined)),
	);
