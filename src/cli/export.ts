import { type Lead, leadFields } from '../lead/lead.ts';
import { contentOf, type TimesToTaken } from '../channels/message.ts';
import { timesByWeek, timesToTaken } from '../outbox/upkeep.ts';
import type { LeadStore, StoredEntry, TakenLead } from '../store/store.ts';
import { type Call, Failure } from './command.ts';
import { wholeEntry } from './entries.ts';
import { shownKey } from './keys.ts';
import { sourceGroup } from '../lead/source.ts';
import { roughTime } from '../lead/values.ts';
import { counted, table } from './printing.ts';

/** How many entries are in memory at once. */
const PAGE = 500;

async function* leadsOf(store: LeadStore): AsyncGenerator<StoredEntry> {
	let page: StoredEntry[] = [];
	do {
		page = await store.list({ before: page.at(-1), limit: PAGE });
		yield* page.filter(({ kind }) => kind === 'lead');
	} while (page.length === PAGE);
}

/** The columns of CSV: the fields that a lead has today. JSON has every stored field. */
const columns = ['id', 'receivedAt', 'state', 'noticeVersion', 'consentWording', 'apiKey', ...leadFields.map(({ name }) => name)];

/** `export`: JSON Lines (https://jsonlines.org), or CSV. Newest first, and printed one by one. */
export async function exportLeads(call: Call, asCsv = false): Promise<void> {
	await using store = await call.openStore();
	// The byte order mark before all rows tells Excel that they are UTF-8.
	if (asCsv) call.write(`\uFEFF${csv(columns)}`);
	for await (const entry of leadsOf(store)) {
		const { lead, unreadable, ...received } = contentOf(entry);
		const kept = { id: entry.id, receivedAt: new Date(entry.receivedAt).toISOString(), state: unreadable ?? entry.state };
		// On one level: no field of a lead has the name of one of ours.
		const record: Record<string, string | undefined> = { ...kept, ...received, ...lead };
		call.write(asCsv ? csv(columns.map((column) => record[column] ?? '')) : `${JSON.stringify(record)}\n`);
	}
}

/** `export EMAIL`: all that `erase` would delete of a person, to be sent to them, so without who of the sales team answers. */
export async function exportPerson(call: Call, email: string, asCsv = false): Promise<void> {
	await using store = await call.openStore();
	const entries = (await store.entriesOf(email)).map((entry) => {
		const assignedAt = entry.assigned && new Date(entry.assigned.at);
		return Object.assign(wholeEntry(entry), { assigned: undefined, assignedAt });
	});
	const keys = (await store.keys.keysOf(email)).map(shownKey);
	const found = await store.countOf(email);
	if (Object.values(found).every((count) => count === 0)) throw new Failure(`Nothing is kept of ${email}.`);
	const kept = { found, entries, keys };
	const json = JSON.stringify(kept, null, 2);
	if (!asCsv) return call.print(kept, json);
	call.write(`\uFEFF${csv(['field', 'value'])}`);
	for (const row of valuesIn(JSON.parse(json))) call.write(csv(row));
}

/** Yields each value of a JSON document behind its path, such as `entries.0.lead.name`. */
function* valuesIn(value: unknown, path = ''): Generator<[path: string, value: string]> {
	if (typeof value !== 'object' || value === null) return yield [path, String(value ?? '')];
	for (const [name, part] of Object.entries(value)) yield* valuesIn(part, path ? `${path}.${name}` : name);
}

/**
 * Writes a row by RFC 4180, with every cell quoted, for spreadsheets. `'` precedes each sign that one would read as the start of
 * a formula (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export const csv = (row: string[]): string =>
	`${row.map((cell) => `"${cell.replace(FORMULA, "$&'").replaceAll('"', '""')}"`).join(',')}\r\n`;

/**
 * Matches where a formula would begin. Spreadsheets read full-width signs like the others, and skip white space. Where the comma is
 * the decimal sign, as in Germany, Excel expects semicolons between cells: it then ends a cell at one, and a row at a line break.
 */
const FORMULA = /(?:^|[;\t\r\n])(?=[^\S\t\r\n]*(?:"[^\S\t\r\n]*)*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

export const dimensions = ['day', 'source', 'language', 'country', 'channel', 'verdict'] as const;

type Dimension = (typeof dimensions)[number];

const valuesOf: Record<Dimension, (entry: StoredEntry, lead: Partial<Lead>) => (string | undefined)[]> = {
	day: ({ receivedAt }) => [new Date(receivedAt).toISOString().slice(0, 10)],
	source: (_, { source }) => [source && sourceGroup(source)],
	language: (_, { lang }) => [lang],
	country: (_, { country }) => [country],
	channel: ({ deliveries }) => deliveries.filter(({ state }) => state === 'sent').map(({ channel }) => channel),
	verdict: ({ spam }) => [spam?.verdict],
};

/** Says how long leads waited until somebody took them. */
export const waitsText = ({ medianSeconds, longestSeconds }: TimesToTaken) =>
	`half of them within ${roughTime(medianSeconds)}, the last after ${roughTime(longestSeconds)}`;

/** `stats`: counts the leads that are kept. Those in quarantine, or called spam, count by verdict only. */
export async function stats(call: Call, by: Dimension, seconds: number): Promise<void> {
	await using store = await call.openStore();
	const since = new Date(Date.now() - seconds * 1000);
	const values: string[] = [];
	let leads = 0;
	const taken: TakenLead[] = [];
	for await (const entry of leadsOf(store)) {
		if (entry.receivedAt < since.getTime()) break;
		if ((entry.state === 'quarantined' || entry.spam?.verdict === 'spam') && by !== 'verdict') continue;
		leads += 1;
		if (entry.assigned) taken.push({ receivedAt: entry.receivedAt, assigned: entry.assigned });
		const { lead = { source: 'unreadable', lang: 'unreadable', country: 'unreadable' } } = contentOf(entry);
		values.push(...valuesOf[by](entry, lead).map((value) => value || 'none'));
	}
	const counts = [...Map.groupBy(values, (value) => value)]
		.map(([value, { length }]) => ({ value, leads: length }))
		.toSorted((one, other) => (by === 'day' ? 0 : other.leads - one.leads) || (one.value < other.value ? -1 : 1));
	const rows = counts.map(({ value, leads }) => [value, leads]);
	const [assigned, weeks] = [timesToTaken(taken), timesByWeek(taken)];
	const weekRows = weeks.map((one) => [one.week, one.leads, roughTime(one.medianSeconds), roughTime(one.longestSeconds)]);
	const parts = [
		table([by, 'Leads'], rows),
		`${counted(leads, 'lead')} since ${since.toISOString()}.`,
		assigned && `${counted(assigned.leads, 'lead')} assigned, ${waitsText(assigned)}.`,
		assigned && table(['Week from', 'Assigned', 'Median', 'Longest'], weekRows),
	];
	call.print({ by, since, leads, counts, assigned: { leads: 0, ...assigned, weeks } }, parts.filter(Boolean).join('\n\n'));
}
