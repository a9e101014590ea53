import { shortId } from '../delivery/short-id.ts';
import type { StoredDelivery, StoredEntry } from '../store/store.ts';
import { deliveryData, deliveryState } from './deliveries.ts';
import { personData, personText } from './person.ts';
import { table } from './table.ts';
import { isoTime, shortTime, until } from './times.ts';

const headings = ['Entry', 'Received UTC', 'State', 'Channel', 'Tries', 'Next try', 'Last error'];

/** A row for each delivery. @param long with a line under each entry on who it is from */
export function entriesTable(entries: StoredEntry[], long: boolean): string {
	const now = Date.now();
	return table(
		headings,
		entries.flatMap((entry) => [...rowsOf(entry, now), ...(long ? [{ under: personText(entry) }] : [])]),
	);
}

function rowsOf(entry: StoredEntry, now: number): string[][] {
	const first = [`${entry.kind} ${shortId(entry.id)}`, shortTime(entry.receivedAt, now)];
	if (entry.deliveries.length === 0) return [[...first, entry.state, '', '', '', '']];
	return entry.deliveries.map((delivery, index) => [...(index === 0 ? first : ['', '']), ...cellsOf(delivery, now)]);
}

function cellsOf(delivery: StoredDelivery, now: number): string[] {
	const { channel, tries, dueAt, lastError } = delivery;
	return [deliveryState(delivery), channel, String(tries), dueAt === null ? '' : until(dueAt, now), lastError ?? ''];
}

/** For programs. @param long with who it is from */
export function entryData(entry: StoredEntry, long: boolean) {
	const { id, kind, receivedAt, state, deliveries } = entry;
	const data = { id, kind, receivedAt: isoTime(receivedAt), state, deliveries: deliveries.map(deliveryData) };
	return long ? { ...data, ...personData(entry) } : data;
}
