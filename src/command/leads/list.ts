import { ArgumentError, failure, type Report } from '../command.ts';
import { CONFIRMATION } from '../../lead/channels/email.ts';
import type { EntryState } from '../../lead/store/store.ts';
import type { Arguments, StoreContext } from './context.ts';
import { entriesTable, entryData, findEntry } from './entries.ts';
import { sourceHash } from '../../lead/keyed-hash.ts';
import { shortId } from '../../lead/message/message.ts';

/** The states of an entry, in the order of the summary. */
export const states = ['waiting', 'delivered', 'parked', 'quarantined'] as const satisfies EntryState[];

/** The entries of a page, by default. */
const PAGE = 50;

/**
 * `list`: a page of entries, with notices. The operator can show it around: it holds nothing that a visitor wrote, except with
 * `--long` or for the quarantine.
 */
export async function list(context: StoreContext): Promise<Report> {
	const { leads, values, language, program } = context;
	const { state, before } = values;
	const source = values.source === undefined ? undefined : sourceHash(leads.secret, values.source);
	const limit = limitOf(values);
	const last = before === undefined ? undefined : await findEntry(leads, before);
	if (typeof last === 'string') return failure(last);

	// One entry more than the page shows whether there are older ones.
	const found = await leads.list({ state, source, before: last, limit: limit + 1 });
	const entries = found.slice(0, limit);
	const next = found.length > limit ? entries.at(-1)!.id : undefined;
	const counts = await leads.count();
	const long = values.long === true || state === 'quarantined';
	const text = [
		entries.length > 0 && entriesTable(entries, long, language),
		next && `There are older ones: add --before ${shortId(next)} to this command.`,
		summary(counts),
		advice(counts, program),
		await warnOfStranded(context),
	];
	const data = { entries: entries.map((entry) => entryData(entry, long)), next, counts };
	return { done: true, data, text: text.filter(Boolean).join('\n\n') };
}

function limitOf({ limit = String(PAGE) }: Arguments['values']): number {
	if (!/^[1-9]\d{0,5}$/.test(limit)) throw new ArgumentError(`--limit is a number, for example --limit ${PAGE}.`);
	return Number(limit);
}

type Counts = Record<EntryState, number>;

/** Counts leads only: notices and confirmations need no operator. */
function summary(counts: Counts): string {
	const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
	return `${total} ${total === 1 ? 'lead' : 'leads'}: ${states.map((state) => `${counts[state]} ${state}`).join(', ')}.`;
}

/** Names the next steps for the operator. */
function advice({ parked, quarantined }: Counts, program: string): string {
	return [
		parked > 0 && `Parked is not tried again by itself. When the reason is gone: ${program} retry --parked`,
		quarantined > 0 &&
			`Quarantined looks like spam, and may be none. Look with ${program} list --state quarantined\nIf one is real: ${program} release ID`,
	]
		.filter(Boolean)
		.join('\n');
}

/** Names the channels that have leads to deliver but are not in the settings: nothing tries them. */
async function warnOfStranded({ leads, channels, program }: StoreContext): Promise<string> {
	const configured = new Set([CONFIRMATION, ...channels.map(({ name }) => name)]);
	const missing = (await leads.pendingChannels()).filter((channel) => !configured.has(channel));
	return missing.length === 0
		? ''
		: `Not among the channels of these settings, so nobody tries: ${missing.join(', ')}. Configure it again, or deliver over those there are: ${program} retry --parked`;
}
