import { randomUUID } from 'node:crypto';
import type { Claim, LeadStore, NewEntry, Once } from '../../../src/lead/store/store.ts';

/** The time at which the tests begin. */
export const NOW = 1_800_000_000_000;
export const HOUR = 3_600_000;

export function newEntry(entry: Partial<NewEntry> = {}): NewEntry {
	return {
		id: randomUUID(),
		kind: 'lead',
		receivedAt: NOW,
		email: 'ana@clinicasol.example',
		payload: '{"name":"Ana Ruiz"}',
		quarantined: false,
		channels: ['email'],
		once: undefined,
		...entry,
	};
}

export function newOnce(once: Partial<Once> = {}): Once {
	return { key: randomUUID(), fingerprint: 'a lead', expiresAt: NOW + HOUR, ...once };
}

export function claimAs(claim: Partial<Claim> = {}): Claim {
	return { channels: ['email', 'slack'], owner: 'one', limit: 100, now: NOW, leaseUntil: NOW + HOUR, ...claim };
}

/** Saves an entry, and gives its id. */
export async function saved(store: LeadStore, entry: Partial<NewEntry> = {}, now = entry.receivedAt ?? NOW): Promise<string> {
	const whole = newEntry(entry);
	await store.insert(whole, now);
	return whole.id;
}

/** The ids of all entries that a store has. */
export async function idsIn(store: LeadStore): Promise<string[]> {
	return (await store.list()).map(({ id }) => id);
}
