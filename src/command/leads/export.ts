import type { Report } from '../command.ts';
import { printable } from '../printing.ts';
import { type Lead, leadFields } from '../../lead/lead.ts';
import type { ReceivedLead } from '../../lead/message/message.ts';
import type { LeadStore, StoredEntry } from '../../lead/store/store.ts';
import type { StoreContext } from './context.ts';

/** The columns of CSV: the fields that a lead has today. JSON has every stored field. */
const columns = ['id', 'receivedAt', 'state', 'noticeVersion', 'consentWording', 'apiKey', ...leadFields.map(({ name }) => name)];

/** `export`: JSON Lines (https://jsonlines.org), or CSV. Newest first, and printed page by page. */
export async function exportLeads({ leads, values, stdout }: StoreContext): Promise<Report> {
	const write = values.csv ? csvOf : jsonLinesOf;
	if (values.csv) stdout(csvHead + csv([columns]));
	for await (const page of pagesOf(leads)) {
		const records = page.filter(({ kind }) => kind === 'lead').map(recordOf);
		stdout(printable(write(records)));
	}
	return { done: true, text: '' };
}

type LeadRecord = Record<string, string | number | undefined>;

const csvOf = (records: LeadRecord[]) => csv(records.map((record) => columns.map((column) => record[column] ?? '')));
const jsonLinesOf = (records: LeadRecord[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Puts everything on one level: no field of a lead has the name of one of ours. */
function recordOf({ state, payload }: StoredEntry): LeadRecord {
	const { id, receivedAt, noticeVersion, consentWording, apiKey, lead } = JSON.parse(payload) as ReceivedLead & {
		lead: Partial<Lead>;
	};
	return { id, receivedAt, state, noticeVersion, consentWording, apiKey, ...lead };
}

/** How many entries are in memory at once. */
const PAGE = 500;

/** Yields all entries page by page, newest first, however many there are. */
export async function* pagesOf(leads: LeadStore): AsyncGenerator<StoredEntry[]> {
	let before: StoredEntry | undefined;
	do {
		const page = await leads.list({ before, limit: PAGE });
		yield page;
		before = page.length === PAGE ? page.at(-1) : undefined;
	} while (before);
}

/** The byte order mark before all rows tells Excel that they are UTF-8. */
const csvHead = '\uFEFF';

/**
 * Writes rows by RFC 4180, with every cell quoted, for spreadsheets. `'` stands before each sign that one would read as the start
 * of a formula, but not before a number (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export const csv = (rows: (string | number)[][]): string => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

const cell = (value: string | number) =>
	typeof value === 'number' ? `"${value}"` : `"${value.replace(FORMULA, "$&'").replaceAll('"', '""')}"`;

/**
 * Matches where a formula would begin. Spreadsheets read full-width signs like the others, and skip white space. Where the comma is
 * the decimal sign, as in Germany, Excel expects semicolons between cells: it then ends a cell at one, and a row at a line break.
 */
const FORMULA = /(?:^|[;\t\r\n])(?=[^\S\t\r\n]*(?:"[^\S\t\r\n]*)*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
