import type { EntryState, StoredDelivery, StoredEntry } from '../store/store.ts';
import { deliveryData, deliveryState } from './deliveries.ts';
import { shortId } from './find-entry.ts';
import { states } from './options.ts';
import type { Report, StoreContext } from './report.ts';
import { table } from './table.ts';
import { isoTime, shortTime, until } from './times.ts';

/** `list`: no word of a lead, so that it can be shown around. A notice is in it where there was somebody to tell. */
export async function list({ leads, values, channels, confirmation, program }: StoreContext): Promise<Report> {
	const all = (await leads.list()).filter(({ kind, deliveries }) => kind === 'lead' || deliveries.length > 0);
	const entries = all.filter(({ state }) => values.state === undefined || state === values.state);
	const counts = countsOf(all);
	const data = { entries: entries.map(entryData), counts };
	const configured = [...channels, confirmation].map((channel) => channel?.name);
	const parts = [entries.length > 0 && tableOf(entries), summary(counts), advice(counts, program), stranded(all, configured)];
	return { done: true, data, text: parts.filter(Boolean).join('\n\n') };
}

function tableOf(entries: StoredEntry[]): string {
	const now = Date.now();
	const rows = entries.flatMap((entry) => {
		const first = [`${entry.kind} ${shortId(entry.id)}`, shortTime(entry.receivedAt, now)];
		if (entry.deliveries.length === 0) return [[...first, entry.state, '', '', '', '']];
		return entry.deliveries.map((delivery, index) => [...(index === 0 ? first : ['', '']), ...cellsOf(delivery, now)]);
	});
	return table(['Entry', 'Received UTC', 'State', 'Channel', 'Tries', 'Next try', 'Last error'], rows);
}

function cellsOf(delivery: StoredDelivery, now: number): string[] {
	const { channel, tries, dueAt, lastError } = delivery;
	return [deliveryState(delivery), channel, String(tries), dueAt === null ? '' : until(dueAt, now), lastError ?? ''];
}

const entryData = ({ id, kind, receivedAt, state, deliveries }: StoredEntry) => ({
	id,
	kind,
	receivedAt: isoTime(receivedAt),
	state,
	deliveries: deliveries.map(deliveryData),
});

type Counts = Record<EntryState, number>;

/** Of leads: notices and confirmations come and go by themselves. */
function countsOf(entries: StoredEntry[]): Counts {
	const leads = entries.filter(({ kind }) => kind === 'lead');
	return Object.fromEntries(states.map((state) => [state, leads.filter((lead) => lead.state === state).length])) as Counts;
}

function summary(counts: Counts): string {
	const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
	return `${total} ${total === 1 ? 'lead' : 'leads'}: ${states.map((state) => `${counts[state]} ${state}`).join(', ')}.`;
}

/** What an operator would want to do next. */
function advice({ parked, quarantined }: Counts, program: string): string {
	return [
		parked > 0 && `Parked is not tried again by itself. When the reason is gone: ${program} retry --parked`,
		quarantined > 0 && `Quarantined filled a field that people do not see. If one is real: ${program} release ID`,
	]
		.filter(Boolean)
		.join('\n');
}

/** Leads can wait for a channel that the settings no longer have, and then nobody tries. */
function stranded(entries: StoredEntry[], configured: (string | undefined)[]): string {
	const waiting = entries.flatMap(({ deliveries }) => deliveries).filter(({ state }) => state !== 'sent');
	const missing = [...new Set(waiting.map(({ channel }) => channel))].filter((channel) => !configured.includes(channel));
	return missing.length === 0
		? ''
		: `Not among the channels of these settings, so nobody tries: ${missing.join(', ')}. Configure it again, or erase the lead.`;
}
