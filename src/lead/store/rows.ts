import type { KeyObject } from 'node:crypto';
import type { ClaimedDelivery, EntryState, NewEntry, StoredDelivery, StoredEntry } from './entry.ts';
import type { Judgement } from '../spam/judgement.ts';
import { personHash, sourceHash } from '../keyed-hash.ts';
import { seal, type Sealed, unseal } from './seal.ts';

/** Returns an entry as both databases store it: the payload is sealed, and keyed hashes find it. */
export function newRow(entry: NewEntry, secret: KeyObject) {
	const { id, kind, receivedAt, email, payload, quarantine, channels, fingerprint = null, spam } = entry;
	return {
		id,
		kind,
		receivedAt,
		person: email === null ? null : personHash(secret, email),
		source: entry.source === null ? null : sourceHash(secret, entry.source),
		...seal(payload),
		state: quarantine ? 'quarantined' : channels.length > 0 ? 'waiting' : 'delivered',
		releasable: quarantine === 'releasable',
		fingerprint,
		spam: spam ? JSON.stringify(spam) : null,
	};
}

/** A row of both databases: an entry with one of its deliveries, or with nulls if it has none. */
export type EntryRow = Pick<NewEntry, 'id' | 'kind'> &
	Sealed & {
		received_at: number;
		entry_state: EntryState;
		spam: string | null;
	} & (DeliveryRow | { channel: null });

interface DeliveryRow extends Pick<StoredDelivery, 'channel' | 'state' | 'tries'> {
	due_at: number | null;
	sent_at: number | null;
	last_error: string | null;
}

/** Returns the entries from their joined rows, in the order of the rows. */
export function entriesFrom(rows: EntryRow[]): StoredEntry[] {
	return [...Map.groupBy(rows, ({ id }) => id).values()].map((ofEntry) => {
		const { id, kind, received_at, entry_state, spam, ...sealed } = ofEntry[0]!;
		const deliveries = ofEntry.flatMap((row) => (row.channel === null ? [] : [deliveryFrom(row)]));
		return {
			id,
			kind,
			receivedAt: received_at,
			payload: unseal(sealed),
			state: entry_state,
			spam: judgementFrom(spam),
			deliveries,
		};
	});
}

function deliveryFrom({ channel, state, tries, due_at, sent_at, last_error }: DeliveryRow): StoredDelivery {
	return { channel, state, tries, dueAt: due_at, sentAt: sent_at, lastError: last_error };
}

/** A claimed delivery, as both databases return it. */
export type ClaimedRow = Omit<ClaimedDelivery, 'payload' | 'spam'> & Sealed & { spam: string | null };

export const toClaimedDelivery = ({ key, text, spam, ...row }: ClaimedRow): ClaimedDelivery => ({
	...row,
	spam: judgementFrom(spam),
	payload: unseal({ key, text }),
});

const judgementFrom = (spam: string | null) => (spam === null ? undefined : (JSON.parse(spam) as Judgement));
