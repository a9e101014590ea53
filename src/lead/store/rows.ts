import type { EntryState, NewEntry, StoredDelivery, StoredEntry } from './entry.ts';

/** An entry beside one of its deliveries, as both databases give them; an entry without deliveries has one row of nulls. */
export type EntryRow = Pick<NewEntry, 'id' | 'kind' | 'payload'> & {
	received_at: number;
	entry_state: EntryState;
} & (DeliveryRow | { channel: null });

interface DeliveryRow extends Pick<StoredDelivery, 'channel' | 'state' | 'tries'> {
	due_at: number | null;
	sent_at: number | null;
	last_error: string | null;
}

/** Entries from their joined rows, in the order of the rows. */
export function entriesFrom(rows: EntryRow[]): StoredEntry[] {
	return [...Map.groupBy(rows, ({ id }) => id).values()].map((ofEntry) => {
		const { id, kind, received_at, payload, entry_state } = ofEntry[0]!;
		const deliveries = ofEntry.flatMap((row) => (row.channel === null ? [] : [deliveryFrom(row)]));
		return { id, kind, receivedAt: received_at, payload, state: entry_state, deliveries };
	});
}

function deliveryFrom({ channel, state, tries, due_at, sent_at, last_error }: DeliveryRow): StoredDelivery {
	return { channel, state, tries, dueAt: due_at, sentAt: sent_at, lastError: last_error };
}
