import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { Claim, ClaimedDelivery, DeliveryResult, LeadStore, Lease, NewEntry, Once } from '../../src/store/store.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export function newEntry(entry: Partial<NewEntry> = {}): NewEntry {
	const about = { kind: 'lead', receivedAt: Date.now(), email: 'ana@clinicasol.example', source: null } as const;
	return { id: uuidv7(), ...about, payload: '{"name":"Ana Ruiz"}', channels: ['email'], once: undefined, ...entry };
}

/** Returns a honeypot hit. */
export const quarantined = (quarantine: NewEntry['quarantine'], entry: Partial<NewEntry> = {}) =>
	newEntry({ quarantine, channels: [], ...entry });

export function newOnce(once: Partial<Once> = {}): Once {
	return { key: randomUUID(), fingerprint: 'a lead', lifetime: HOUR, ...once };
}

export async function claim(store: LeadStore, by: Partial<Claim> = {}): Promise<ClaimedDelivery[]> {
	return (await store.claim({ channel: 'email', owner: 'one', limit: 100, lease: HOUR, ...by })).claimed;
}

/** Returns the time until the next delivery of a channel, and claims none. */
export async function untilDue(store: LeadStore, channel: string): Promise<number | undefined> {
	return (await store.claim({ channel, owner: 'nobody', limit: 0, lease: HOUR })).untilDue;
}

export async function saved(store: LeadStore, entry: Partial<NewEntry> = {}): Promise<string> {
	const whole = newEntry(entry);
	await store.insert(whole);
	return whole.id;
}

export async function claimed(store: LeadStore, entry: Partial<NewEntry> = {}): Promise<Lease> {
	const { channels: [channel = 'email'] = [] } = entry;
	const id = await saved(store, entry);
	await claim(store, { channel });
	return { id, channel, owner: 'one' };
}

export async function triedIn(store: LeadStore, result: DeliveryResult, entry: Partial<NewEntry> = {}): Promise<Lease> {
	const lease = await claimed(store, entry);
	await store.recordResult(lease, result);
	return lease;
}

/** The channel of the notices of {@link announced}. */
export const NOTICES = 'notices';

/** Makes a new notice cover what is held, and returns its id. */
export async function announced(store: LeadStore): Promise<string> {
	const notice = await saved(store, { kind: 'notice', email: null, channels: [NOTICES] });
	await store.announce(notice);
	return notice;
}

/** Releases an entry from quarantine, to these channels. @returns whether it was there */
export const released = (store: LeadStore, id: string, channels: string[]) =>
	store.train(id, { verdict: 'clear', signals: [] }, [], channels);

/** Returns the ids of all entries of a store, without the notices of {@link announced}. */
export async function idsIn(store: LeadStore): Promise<string[]> {
	return (await store.list({ limit: 1000 })).filter(({ deliveries }) => deliveries[0]?.channel !== NOTICES).map(({ id }) => id);
}
