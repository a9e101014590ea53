import type { EntryState, LeadStore, StoredDelivery, StoredEntry } from '../store/store.ts';
import { shortId } from '../short-id.ts';
import { ArgumentError } from './argument-error.ts';
import { deliveryData, deliveryState } from './deliveries.ts';
import { findEntry } from './find-entry.ts';
import { states } from './options.ts';
import { personData, personText } from './person.ts';
import { failed, type Report, type StoreContext } from './report.ts';
import { table } from './table.ts';
import { isoTime, shortTime, until } from './times.ts';

/** How many entries a page has, unless the operator says otherwise. */
const PAGE = 50;

/**
 * `list`: a page of entries. No word of a lead, so that it can be shown around, unless it is asked for by `--long`, or for what lies in
 * quarantine. A notice is in it where there was somebody to tell.
 */
export async function list(context: StoreContext): Promise<Report> {
	const { leads, values, channels, confirmation, program } = context;
	const { state, limit = String(PAGE), before } = values;
	if (!/^[1-9]\d{0,5}$/.test(limit)) throw new ArgumentError(`--limit is a number, for example --limit ${PAGE}.`);
	const last = before === undefined ? undefined : await findEntry(leads, before);
	if (typeof last === 'string') return failed(last);

	const found = await leads.list({ state, before: last, limit: Number(limit) + 1 });
	const entries = found.slice(0, Number(limit));
	const next = found.length > entries.length ? entries.at(-1)!.id : undefined;
	const counts = await leads.count();
	const long = values.long === true || state === 'quarantined';
	const configured = [...channels, confirmation].map((channel) => channel?.name);
	const parts = [
		entries.length > 0 && (long ? longTableOf(entries) : tableOf(entries)),
		next &&
			`There are older ones: ${[program, 'list', state && `--state ${state}`, values.long && '--long'].filter(Boolean).join(' ')} --before ${shortId(next)}`,
		summary(counts),
		advice(counts, program),
		await stranded(leads, configured),
	];
	const data = { entries: entries.map((entry) => ({ ...entryData(entry), ...(long && personData(entry)) })), next, counts };
	return { done: true, data, text: parts.filter(Boolean).join('\n\n') };
}

const headings = ['Entry', 'Received UTC', 'State', 'Channel', 'Tries', 'Next try', 'Last error'];

function tableOf(entries: StoredEntry[]): string {
	const now = Date.now();
	return table(
		headings,
		entries.flatMap((entry) => rowsOf(entry, now)),
	);
}

/** Each with a line on who it is from. */
function longTableOf(entries: StoredEntry[]): string {
	const now = Date.now();
	return table(
		headings,
		entries.flatMap((entry) => [...rowsOf(entry, now), { under: personText(entry) }]),
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

const entryData = ({ id, kind, receivedAt, state, deliveries }: StoredEntry) => ({
	id,
	kind,
	receivedAt: isoTime(receivedAt),
	state,
	deliveries: deliveries.map(deliveryData),
});

type Counts = Record<EntryState, number>;

/** Of leads: notices and confirmations come and go by themselves. */
function summary(counts: Counts): string {
	const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
	return `${total} ${total === 1 ? 'lead' : 'leads'}: ${states.map((state) => `${counts[state]} ${state}`).join(', ')}.`;
}

/** What an operator would want to do next. */
function advice({ parked, quarantined }: Counts, program: string): string {
	return [
		parked > 0 && `Parked is not tried again by itself. When the reason is gone: ${program} retry --parked`,
		quarantined > 0 &&
			`Quarantined filled a field that people do not see. Look with ${program} list --state quarantined\nIf one is real: ${program} release ID`,
	]
		.filter(Boolean)
		.join('\n');
}

/** Leads can wait for a channel that the settings no longer have, and then nobody tries. */
async function stranded(leads: LeadStore, configured: (string | undefined)[]): Promise<string> {
	const missing = (await leads.waitingChannels()).filter((channel) => !configured.includes(channel));
	return missing.length === 0
		? ''
		: `Not among the channels of these settings, so nobody tries: ${missing.join(', ')}. Configure it again, or erase the lead.`;
}
