import type { ClaimedDelivery, EntryState, NewEntry, StoredDelivery, StoredEntry } from './store.ts';

/** An entry beside one of its deliveries, as both databases give them; an entry without deliveries has one row of nulls. */
export type EntryRow = Pick<NewEntry, 'id' | 'kind' | 'payload'> & {
	received_at: number;
	/** SQLite has 0 and 1. */
	quarantined: boolean | number;
} & (DeliveryRow | { channel: null });

interface DeliveryRow extends Pick<StoredDelivery, 'channel' | 'state' | 'tries'> {
	due_at: number | null;
	sent_at: number | null;
	last_error: string | null;
}

/** A delivery that was just claimed. */
export interface ClaimedRow extends ClaimedDelivery {
	due_at: number;
}

/** The claimed deliveries in their order: what `RETURNING` gives has none. */
export function claimedFrom(rows: ClaimedRow[]): ClaimedDelivery[] {
	return rows
		.toSorted((one, other) => one.due_at - other.due_at)
		.map(({ id, channel, kind, payload, tries }) => ({ id, channel, kind, payload, tries }));
}

/** Entries from their joined rows, in the order of the rows. */
export function entriesFrom(rows: EntryRow[]): StoredEntry[] {
	return [...Map.groupBy(rows, ({ id }) => id).values()].map((ofEntry) => {
		const { id, kind, received_at, payload, quarantined } = ofEntry[0]!;
		const deliveries = ofEntry.flatMap((row) => (row.channel === null ? [] : [deliveryFrom(row)]));
		return { id, kind, receivedAt: received_at, payload, state: quarantined ? 'quarantined' : stateOf(deliveries), deliveries };
	});
}

function deliveryFrom({ channel, state, tries, due_at, sent_at, last_error }: DeliveryRow): StoredDelivery {
	return { channel, state, tries, dueAt: due_at, sentAt: sent_at, lastError: last_error };
}

function stateOf(deliveries: StoredDelivery[]): EntryState {
	if (deliveries.some(({ state }) => state === 'parked')) return 'parked';
	return deliveries.every(({ state }) => state === 'sent') ? 'delivered' : 'waiting';
}

/** How an email address is compared: both databases get it in this form, since each has its own idea of lower case. */
export const comparable = (email: string) => email.trim().normalize('NFC').toLowerCase();

/** What an error says of itself; some of Node's network errors have a code only. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.message || ('code' in error ? String(error.code) : error.name);
}
