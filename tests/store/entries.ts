import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { Claim, LeadStore, Lease, NewEntry, Once } from '../../src/store/store.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export function newEntry(entry: Partial<NewEntry> = {}): NewEntry {
	return {
		id: uuidv7(),
		kind: 'lead',
		receivedAt: Date.now(),
		email: 'ana@clinicasol.example',
		source: null,
		payload: '{"name":"Ana Ruiz"}',
		channels: ['email'],
		once: undefined,
		...entry,
	};
}

/** Returns a honeypot hit. */
export const quarantined = (quarantine: NewEntry['quarantine'], entry: Partial<NewEntry> = {}) =>
	newEntry({ quarantine, channels: [], ...entry });

export function newOnce(once: Partial<Once> = {}): Once {
	return { key: randomUUID(), fingerprint: 'a lead', lifetime: HOUR, ...once };
}

export function claimAs(claim: Partial<Claim> = {}): Claim {
	return { channel: 'email', owner: 'one', limit: 100, lease: HOUR, ...claim };
}

/** Saves an entry, and returns its id. */
export async function saved(store: LeadStore, entry: Partial<NewEntry> = {}): Promise<string> {
	const whole = newEntry(entry);
	await store.insert(whole);
	return whole.id;
}

/** Saves an entry and claims its delivery over a channel. */
export async function claimed(store: LeadStore, entry: Partial<NewEntry> = {}, channel = 'email'): Promise<Lease> {
	const id = await saved(store, entry);
	await store.claim(claimAs({ channel }));
	return { id, channel, owner: 'one' };
}

/** Returns the ids of all entries of a store. */
export async function idsIn(store: LeadStore): Promise<string[]> {
	return (await store.list({ limit: 1000 })).map(({ id }) => id);
}
