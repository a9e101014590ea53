import { defaultLanguage } from '../facts/load.ts';
import { channelsOf } from '../lead/channels/channels.ts';
import { CONFIRMATION } from '../lead/channels/smtp.ts';
import { faultsOf } from '../lead/intake/honeypot.ts';
import { sourceHash } from '../lead/email-address.ts';
import type { Lead } from '../lead/lead.ts';
import type { Confirmation } from '../lead/message/confirmation.ts';
import { entryMessage, ownerName } from '../lead/message/entry-message.ts';
import { fieldRows, inPlaces } from '../lead/message/rows.ts';
import { type ReceivedLead, senderRows, shortId } from '../lead/message/message.ts';
import { reasonsIn } from '../lead/spam/judgement.ts';
import {
	type Counts,
	type EntryState,
	type LeadStore,
	MOST_COUNTED,
	type StoredDelivery,
	type StoredEntry,
} from '../lead/store/store.ts';
import { type Call, Failure } from './command.ts';
import { alignRows, type Columns, counted, dateTime, isoTime, shortTime, table, timeUntil } from './printing.ts';

/** The states of an entry, in the order of the summary. */
export const states = ['waiting', 'delivered', 'parked', 'quarantined'] as const satisfies EntryState[];

/** The outbox looks for due deliveries at least this often. */
export const SOON = 'A running server tries it within 15 seconds, another when it starts.';

/**
 * Returns the entry whose id begins or ends with this.
 *
 * @throws {Failure} there is none, or more than one
 */
export async function findEntry(store: LeadStore, part: string): Promise<StoredEntry> {
	const wanted = part.toLowerCase();
	const [found, another] = /^[\da-f-]+$/.test(wanted) ? await store.find(wanted) : [];
	if (another) throw new Failure(`More than one entry has an id with ${part}. Write more of the id.`);
	if (found) return found;
	throw new Failure(
		`There is no entry ${part}. It may have been purged or erased. To find it by the end of its id, write eight characters or more.`,
	);
}

/** What was saved was checked before, so it is not checked again. In quarantine, a lead may lack any field. */
const contentOf = ({ payload }: StoredEntry) =>
	JSON.parse(payload) as Omit<Partial<ReceivedLead>, 'lead'> & { lead?: Partial<Lead> } & Partial<Confirmation>;

/** Returns the lead in an entry that is one. */
export const leadIn = (entry: StoredEntry): Partial<Lead> => contentOf(entry).lead!;

/** An entry as programs get it. What people read is made of it. */
interface Row extends Pick<StoredEntry, 'id' | 'kind' | 'state' | 'spam'>, Person {
	receivedAt: string;
	apiKey: string | undefined;
	deliveries: DeliveryRow[];
}

/** Who an entry is from or about. In quarantine, why it is no lead: codes such as `email_invalid`, none if it could be released. */
interface Person {
	name?: string | undefined;
	clinic?: string | undefined;
	email?: string | undefined;
	faults?: string[];
}

function rowOf(entry: StoredEntry, withPerson = false): Row {
	const { id, kind, state, spam } = entry;
	const { apiKey } = contentOf(entry);
	const [receivedAt, deliveries] = [isoTime(entry.receivedAt), entry.deliveries.map(deliveryRow)];
	return { id, kind, receivedAt, state, apiKey, spam, deliveries, ...(withPerson && personIn(entry)) };
}

function personIn(entry: StoredEntry): Person {
	const { lead, address } = contentOf(entry);
	if (lead === undefined) return { email: address };
	const { name, clinic, email } = lead;
	return { name, clinic, email, ...(entry.state === 'quarantined' && { faults: faultsOf(lead) }) };
}

/** Uses the word for a whole entry, which is `delivered` instead of `sent`. */
export const deliveryRow = ({ channel, state, tries, dueAt, sentAt, lastError }: StoredDelivery) => ({
	channel,
	state: state === 'sent' ? 'delivered' : state,
	tries,
	nextTry: dueAt === null ? null : isoTime(dueAt),
	deliveredAt: sentAt === null ? null : isoTime(sentAt),
	lastError,
});

type DeliveryRow = ReturnType<typeof deliveryRow>;

interface ListOptions {
	state?: EntryState | undefined;
	source?: string | undefined;
	limit: number;
	before?: string | undefined;
	long?: true | undefined;
}

/**
 * `list`: a page of entries, with notices. The operator can show it around: it holds nothing that a visitor wrote, except with
 * `--long` or for the quarantine.
 */
export async function list(call: Call, { state, limit, long, ...options }: ListOptions): Promise<void> {
	await using store = await call.openStore();
	const source = options.source === undefined ? undefined : sourceHash(store.secret, options.source);
	const before = options.before === undefined ? undefined : await findEntry(store, options.before);
	// One entry more than the page shows whether there are older ones.
	const found = await store.list({ state, source, before, limit: limit + 1 });
	const withPerson = long || state === 'quarantined';
	const entries = found.slice(0, limit).map((entry) => rowOf(entry, withPerson));
	const next = found.length > limit ? entries.at(-1)!.id : undefined;
	const counts = await store.count();

	const lines = entries.flatMap(linesOf);
	const { language } = call.settings();
	const parts = [
		lines.length > 0 && table(lineColumns, lines, ({ row, isLast }) => (isLast ? textUnder(row, withPerson, language) : '')),
		next && `There are older ones: add --before ${shortId(next)} to this command.`,
		summary(counts),
		advice(counts, call.program),
		await warnOfStranded(store, call),
	];
	const countsOfStates = Object.fromEntries(states.map((state) => [state, counts[state]]));
	call.print({ entries, next, counts: countsOfStates }, parts.filter(Boolean).join('\n\n'));
}

/** Returns the lines of an entry in the list: one for each delivery, and one if there is none. */
function linesOf(row: Row) {
	const deliveries = row.deliveries.length > 0 ? row.deliveries : [undefined];
	return deliveries.map((delivery, index) => ({ row, delivery, isFirst: index === 0, isLast: index === deliveries.length - 1 }));
}

const lineColumns: Columns<ReturnType<typeof linesOf>[number]> = {
	Entry: ({ row, isFirst }) => (isFirst ? `${row.kind} ${shortId(row.id)}` : ''),
	'Received UTC': ({ row, isFirst }) => (isFirst ? shortTime(row.receivedAt) : ''),
	State: ({ row, delivery }) => (delivery ?? row).state,
	Channel: ({ delivery }) => delivery?.channel,
	Tries: ({ delivery }) => delivery?.tries,
	'Next try': ({ delivery }) => delivery?.nextTry && timeUntil(delivery.nextTry),
	'Last error': ({ delivery }) => delivery?.lastError,
};

/** Returns who an entry is from, why it looks like spam, and its API key, on one line. */
function textUnder({ name, clinic, email, faults, spam, apiKey }: Row, withReasons: boolean, language: string): string {
	const verdict = faults && (faults.length === 0 ? 'could be released' : `no lead: ${faults.join(', ')}`);
	const reasons = withReasons && spam ? reasonsIn(language, spam) : [];
	return [name, clinic, email, verdict, ...reasons, apiKey && `sent with key ${apiKey}`].filter(Boolean).join(' · ');
}

/** Counts leads only: notices and confirmations need no operator. */
function summary(counts: Counts): string {
	const total = states.reduce((sum, state) => sum + counts[state], 0);
	const most = states.some((state) => counts[state] === MOST_COUNTED) ? `, of each state ${MOST_COUNTED} at most` : '';
	return `${counted(total, 'lead')}: ${states.map((state) => `${counts[state]} ${state}`).join(', ')}${most}.`;
}

/** Names the next steps for the operator. */
function advice({ parked, quarantined }: Counts, program: string): string {
	const steps = [
		parked > 0 && `Parked is not tried again by itself. When the reason is gone: ${program} retry --parked`,
		quarantined > 0 &&
			`Quarantined looks like spam, and may be none. Look with ${program} list --state quarantined\nIf one is real: ${program} release ID`,
	];
	return steps.filter(Boolean).join('\n');
}

/** Names the channels that have leads to deliver but are not in the settings: nothing tries them. */
async function warnOfStranded(store: LeadStore, { settings, program }: Call): Promise<string> {
	const configured = new Set([CONFIRMATION, ...channelsOf(settings()).map(({ name }) => name)]);
	const missing = (await store.pendingChannels()).filter((channel) => !configured.has(channel));
	return missing.length === 0
		? ''
		: `Not among the channels of these settings, so nobody tries: ${missing.join(', ')}. Configure it again, or deliver over those there are: ${program} retry --parked`;
}

/** `show ID` */
export async function show(call: Call, id: string): Promise<void> {
	await using store = await call.openStore();
	const entry = await findEntry(store, id);
	const row = rowOf(entry);
	const parts = [
		`${row.kind} ${row.id}\n${row.state}, received ${dateTime(row.receivedAt)}`,
		alignRows(await contentRows(entry, store, call.settings().language)),
		row.deliveries.length > 0 ? table(deliveryColumns, row.deliveries) : 'No deliveries.',
	];
	call.print({ ...contentOf(entry), ...row }, parts.join('\n\n'));
}

const deliveryColumns: Columns<DeliveryRow> = {
	Channel: ({ channel }) => channel,
	State: ({ state }) => state,
	Tries: ({ tries }) => tries,
	'Delivered or next try': ({ deliveredAt, nextTry }) => (deliveredAt ?? nextTry) && dateTime((deliveredAt ?? nextTry)!),
	'Last error': ({ lastError }) => lastError,
};

async function contentRows(entry: StoredEntry, store: LeadStore, language: string): Promise<{ label: string; value: string }[]> {
	const { kind, spam } = entry;
	if (kind === 'notice') return (await entryMessage(entry, store, language)).rows;
	const content = contentOf(entry);
	if (kind === 'confirmation')
		return [
			{ label: 'To', value: content.address! },
			{ label: 'Language', value: content.language! },
		];
	const received = content as ReceivedLead;
	const rows = [
		...fieldRows(received.lead, defaultLanguage).map((row) =>
			row.name === 'website' ? Object.assign(row, { label: 'Honeypot' }) : row,
		),
		...senderRows(received.apiKey, await ownerName(received, store.keys), defaultLanguage),
		{ name: 'evidence', label: 'Consent', value: consentOf(received), place: 'last' as const },
	];
	const verdict = spam && { label: 'Verdict', value: [spam.verdict, ...reasonsIn(language, spam)].join('\n') };
	return [...inPlaces(rows).flat(), ...(verdict ? [verdict] : [])];
}

/** Describes the evidence of consent: the text, the time, the language and the page. */
function consentOf({ receivedAt, noticeVersion, consentWording, lead }: ReceivedLead): string {
	if ((lead as Partial<Lead>).consent !== 'on') return 'not given';
	const when = `given to the privacy notice of ${noticeVersion}, ${dateTime(receivedAt)}`;
	return [when, `“${consentWording}”`, lead.lang && `language ${lead.lang}`, lead.source && `on ${lead.source}`]
		.filter(Boolean)
		.join(', ');
}
