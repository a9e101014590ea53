import { type Channel, channelsFor, namesOf } from '../channels/channel.ts';
import { contentOf } from '../channels/message.ts';
import { traitsToLearn } from '../outbox/traits.ts';
import type { LeadStore, StoredEntry } from '../store/store.ts';
import { faultsOf } from './honeypot.ts';

/**
 * Remembers what people say of a lead. @param channels to release it to, if it is in quarantine
 * @returns `known`: it has traits, by which others like it are recognised
 */
export async function train(entry: StoredEntry, verdict: 'spam' | 'clear', store: LeadStore, channels: string[] = []) {
	const traits = traitsToLearn(store.secret, contentOf(entry).lead ?? {});
	const isReleased = await store.train(entry.id, { verdict, signals: entry.spam?.signals ?? [] }, traits, channels);
	return { known: traits.length > 0, isReleased };
}

/**
 * Says that a lead is no spam, and delivers it to those of the channels that get it, if it is in quarantine.
 * @returns what is missing in one that cannot be delivered, by code; `known`: as for `train`; `released`: to which channels, if it was in
 * quarantine
 */
export async function release(entry: StoredEntry, channels: Channel[], store: LeadStore) {
	const isHeld = entry.state === 'quarantined';
	const { lead } = contentOf(entry);
	const faults = !isHeld ? [] : lead ? faultsOf(lead) : ['unreadable'];
	if (faults.length > 0) return { faults };
	const names = namesOf(channelsFor(channels, lead ?? {}));
	const { known, isReleased } = await train(entry, 'clear', store, isHeld ? names : []);
	return { faults, known, released: isReleased ? names : undefined };
}

/** Tries to deliver one entry again, or all that are stuck, each over those of the channels that get it: see the store. */
export const retry = (which: Parameters<LeadStore['retry']>[0], channels: Channel[], store: LeadStore) =>
	store.retry(which, namesOf(channels), (entry) =>
		namesOf(channelsFor(channels, entry.kind === 'lead' ? (contentOf(entry).lead ?? {}) : undefined)),
	);
