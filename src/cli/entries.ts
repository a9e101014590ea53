import { defaultLanguage } from '../facts/load.ts';
import type { Channel } from '../channels/channel.ts';
import { channelsOf } from '../channels/channels.ts';
import { CONFIRMATION } from '../channels/smtp.ts';
import { faultsOf } from '../api/honeypot.ts';
import { sourceHash } from '../lead/email-address.ts';
import type { Lead } from '../lead/lead.ts';
import type { Confirmation } from '../channels/confirmation.ts';
import { entryMessage, ownerName } from '../channels/entry-message.ts';
import { fieldRows, inPlaces } from '../channels/rows.ts';
import { type ReceivedLead, senderRows, shortId } from '../channels/message.ts';
import { reasonsIn } from '../lead/judgement.ts';
import { type EntryState, type LeadStore, MOST_COUNTED, type StoredDelivery, type StoredEntry } from '../store/store.ts';
import { type Call, Failure } from './command.ts';
import { alignRows, type Columns, counted, dateTime, isoTime, shortTime, table, timeUntil } from './printing.ts';

/** The states of an entry, in the order of the summary. */
export const states = ['waiting', 'delivered', 'parked', 'quarantined'] as const satisfies EntryState[];

/** The outbox looks for due deliveries at least this often. */
export const SOON = 'A running server tries it within 15 seconds, another when it starts.';

/** Returns the entry whose id begins or ends with this. @throws {Failure} there is none, or more than one */
export async function findEntry(store: LeadStore, part: string): Promise<StoredEntry> {
	const wanted = part.toLowerCase();
	const [found, another] = /^[\da-f-]+$/.test(wanted) ? await store.find(wanted) : [];
	if (another) throw new Failure(`More than one entry has an id with ${part}. Write more of the id.`);
	if (found) return found;
	throw new Failure(
		`There is no entry ${part}. It may have been purged or erased. To find it by the end of its id, write eight characters or more.`,
	);
}

/** Returns the channels of the settings. @throws {Failure} there is none */
export function channelsIn(call: Call): Channel[] {
	const { channels } = channelsOf(call.settings());
	if (channels.length > 0) return channels;
	throw new Failure('There is no channel: set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.');
}

export const namesOf = (channels: Channel[]): string[] => channels.map(({ name }) => name);

/** A saved lead was checked before, so it is not checked again. In quarantine, a lead may lack any field. */
const contentOf = ({ payload }: StoredEntry) =>
	JSON.parse(payload) as Omit<Partial<ReceivedLead>, 'lead'> & { lead?: Partial<Lead> } & Partial<Confirmation>;

/** Returns the lead in an entry that is one. */
export const leadIn = (entry: StoredEntry): Partial<Lead> => contentOf(entry).lead!;

/**
 * Returns an entry as programs get it. What people read is made of it.
 *
 * @param long adds who it is from or about and, in quarantine, why it is no lead: codes such as `email_invalid`
 */
function rowOf(entry: StoredEntry, long = false) {
	const { id, kind, state, spam } = entry;
	const { lead, address, apiKey } = contentOf(entry);
	const { name, clinic, email = address } = lead ?? {};
	const faults = lead && state === 'quarantined' ? faultsOf(lead) : undefined;
	const [receivedAt, deliveries] = [isoTime(entry.receivedAt), entry.deliveries.map(deliveryRow)];
	return { id, kind, receivedAt, state, apiKey, spam, deliveries, ...(long && { name, clinic, email, faults }) };
}

type Row = ReturnType<typeof rowOf>;

/** Uses the word for a whole entry, which is `delivered` instead of `sent`. */
export const deliveryRow = ({ channel, state, tries, dueAt, sentAt, lastError }: StoredDelivery) => ({
	channel,
	state: state === 'sent' ? 'delivered' : state,
	tries,
	nextTry: dueAt && isoTime(dueAt),
	deliveredAt: sentAt && isoTime(sentAt),
	lastError,
});

interface ListOptions extends Partial<Record<'source' | 'before', string>> {
	state?: EntryState | undefined;
	limit: number;
	long?: true | undefined;
}

/**
 * `list`: a page of entries, with notices. The operator can show it around: it holds nothing that a visitor wrote, except with
 * `--long` or for the quarantine.
 */
export async function list(call: Call, { state, limit, ...options }: ListOptions): Promise<void> {
	await using store = await call.openStore();
	const source = options.source === undefined ? undefined : sourceHash(store.secret, options.source);
	const before = options.before === undefined ? undefined : await findEntry(store, options.before);
	// One entry more than the page shows whether there are older ones.
	const found = await store.list({ state, source, before, limit: limit + 1 });
	const long = options.long || state === 'quarantined';
	const entries = found.slice(0, limit).map((entry) => rowOf(entry, long));
	const next = found.length > limit ? entries.at(-1)!.id : undefined;
	const { oldestWaiting: _, ...counts } = await store.count();
	const total = states.reduce((sum, each) => sum + counts[each], 0);
	const most = states.some((each) => counts[each] === MOST_COUNTED) ? `, of each state ${MOST_COUNTED} at most` : '';
	const { program, settings } = call;
	const configured = new Set([CONFIRMATION, ...namesOf(channelsOf(settings()).channels)]);
	const stranded = (await store.pendingChannels()).filter((channel) => !configured.has(channel));
	const parts = [
		entries.length > 0 && table(lineColumns, entries.flatMap(linesOf), textUnder(long, settings().LEAD_LANGUAGE)),
		next && `There are older ones: add --before ${shortId(next)} to this command.`,
		// Leads only: notices and confirmations need no operator.
		`${counted(total, 'lead')}: ${states.map((each) => `${counts[each]} ${each}`).join(', ')}${most}.`,
		counts.parked > 0 && `Parked is not tried again by itself. When the reason is gone: ${program} retry --parked`,
		counts.quarantined > 0 &&
			`Quarantined looks like spam, and may be none. Look with ${program} list --state quarantined\nIf one is real: ${program} release ID`,
		stranded.length > 0 &&
			`Not among the channels of these settings, so nobody tries: ${stranded.join(', ')}. Configure it again, or deliver over those there are: ${program} retry --parked`,
	];
	call.print({ entries, next, counts }, parts.filter(Boolean).join('\n\n'));
}

/** Returns the lines of an entry in the list: one for each delivery, and one if there is none. */
function linesOf(row: Row) {
	const deliveries = row.deliveries.length > 0 ? row.deliveries : [undefined];
	return deliveries.map((delivery, index) => ({ row, delivery, isFirst: index === 0, isLast: index === deliveries.length - 1 }));
}

type Line = ReturnType<typeof linesOf>[number];

const lineColumns: Columns<Line> = {
	Entry: ({ row, isFirst }) => (isFirst ? `${row.kind} ${shortId(row.id)}` : ''),
	'Received UTC': ({ row, isFirst }) => (isFirst ? shortTime(row.receivedAt) : ''),
	State: ({ row, delivery }) => (delivery ?? row).state,
	Channel: ({ delivery }) => delivery?.channel,
	Tries: ({ delivery }) => delivery?.tries,
	'Next try': ({ delivery }) => delivery?.nextTry && timeUntil(delivery.nextTry),
	'Last error': ({ delivery }) => delivery?.lastError,
};

/** Returns a function that says who an entry is from, why it looks like spam, and its API key, under its last line. */
const textUnder =
	(long: boolean, language: string) =>
	({ row, isLast }: Line): string => {
		const { name, clinic, email, faults, spam, apiKey } = row;
		const verdict = faults && (faults.length === 0 ? 'could be released' : `no lead: ${faults.join(', ')}`);
		const reasons = long && spam ? reasonsIn(language, spam) : [];
		const parts = [name, clinic, email, verdict, ...reasons, apiKey && `sent with key ${apiKey}`];
		return isLast ? parts.filter(Boolean).join(' · ') : '';
	};

/** `show ID` */
export async function show(call: Call, id: string): Promise<void> {
	await using store = await call.openStore();
	const entry = await findEntry(store, id);
	const row = rowOf(entry);
	const parts = [
		`${row.kind} ${row.id}\n${row.state}, received ${dateTime(row.receivedAt)}`,
		alignRows(await contentRows(entry, store, call.settings().LEAD_LANGUAGE)),
		row.deliveries.length > 0 ? table(deliveryColumns, row.deliveries) : 'No deliveries.',
	];
	call.print({ ...contentOf(entry), ...row }, parts.join('\n\n'));
}

const deliveryColumns: Columns<Row['deliveries'][number]> = {
	Channel: ({ channel }) => channel,
	State: ({ state }) => state,
	Tries: ({ tries }) => tries,
	'Delivered or next try': ({ deliveredAt, nextTry }) => (deliveredAt || nextTry) && dateTime(deliveredAt || nextTry!),
	'Last error': ({ lastError }) => lastError,
};

/** A row of what an entry holds. */
type LabelledValue = Parameters<typeof alignRows>[0][number];

async function contentRows(entry: StoredEntry, store: LeadStore, language: string): Promise<LabelledValue[]> {
	const content = contentOf(entry);
	const rowsOf = {
		lead: () => leadRows(content as ReceivedLead, store),
		notice: async () => (await entryMessage(entry, store, { language, timeZone: 'UTC' })).rows,
		confirmation: () => [
			{ label: 'To', value: content.address! },
			{ label: 'Language', value: content.language! },
		],
	};
	const { kind, spam } = entry;
	const verdict = spam ? [{ label: 'Verdict', value: [spam.verdict, ...reasonsIn(language, spam)].join('\n') }] : [];
	return [...(await rowsOf[kind]()), ...verdict];
}

async function leadRows(received: ReceivedLead, store: LeadStore): Promise<LabelledValue[]> {
	const { lead, receivedAt, noticeVersion, consentWording, apiKey } = received;
	const fields = fieldRows(lead, defaultLanguage);
	const given = `given to the privacy notice of ${noticeVersion}, ${dateTime(receivedAt)}`;
	const evidence = [given, `“${consentWording}”`, lead.lang && `language ${lead.lang}`, lead.source && `on ${lead.source}`];
	// In quarantine there may be none.
	const isGiven = (lead as Partial<Lead>).consent === 'on';
	return inPlaces([
		...fields.map((row) => (row.name === 'website' ? Object.assign(row, { label: 'Honeypot' }) : row)),
		...senderRows(apiKey, await ownerName(received, store.keys), defaultLanguage),
		{ name: 'evidence', label: 'Consent', value: isGiven ? evidence.filter(Boolean).join(', ') : 'not given', place: 'last' },
	]).flat();
}
