import { defaultLanguage } from '../facts/load.ts';
import { type Channel, namesOf } from '../channels/channel.ts';
import { channelsOf } from '../server/channels.ts';
import { faultsOf } from '../api/honeypot.ts';
import { sourceGroup } from '../lead/source.ts';
import { entryMessage, isKnown, ownerName } from '../channels/entry.ts';
import { fieldRows, type Row, rowsOf, textOf, withoutIsolates } from '../channels/rows.ts';
import { contentOf, idPartOf, reasonsIn, referenceOf, senderRows } from '../channels/message.ts';
import { featuresOf } from '../outbox/traits.ts';
import { MOST_COUNTED, sourceHash } from '../store/entry.ts';
import type { LeadStore, Page, StoredDelivery, StoredEntry } from '../store/store.ts';
import { type Call, Failure } from './command.ts';
import { counted, dateTime, shortTime, table, type TableRow, timeUntil } from './printing.ts';

export const states = ['waiting', 'delivered', 'parked', 'quarantined'] as const;

/** Returns the entry with this reference, or whose id begins or ends with this. @throws {Failure} there is no such entry, or more than one */
export async function findEntry(store: LeadStore, part: string): Promise<StoredEntry> {
	const found = part === '' ? [] : await store.find(idPartOf(part));
	const hint = 'It may have been purged or erased. Write its reference, as list shows it.';
	return onlyOne(found, 'entry', part, hint);
}

/** Returns the only thing that was found by a part of its id. @throws {Failure} nothing was found, or more than one */
export function onlyOne<Found>([found, another]: Found[], kind: string, part: string, hint: string): Found {
	if (!found) throw new Failure(`There is no ${kind} ${part}. ${hint}`);
	if (another) throw new Failure(`More than one ${kind} has an id with ${part}. Write more of the id.`);
	return found;
}

/** Returns the channels of the settings. @throws {Failure} there is no channel */
export function channelsIn(call: Call): Channel[] {
	const { channels } = channelsOf(call.settings());
	if (channels.length > 0) return channels;
	throw new Failure('There is no channel: set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.');
}

/**
 * Returns an entry as programs get it, from which the text for people is made. `long` adds the person and, in quarantine, the faults:
 * codes such as `email_invalid`. `trained` adds the features by which leads like it are known.
 */
function shownEntry(entry: StoredEntry, long = false, trained = false) {
	const { id, kind, state, spam, assigned } = entry;
	const { lead, address, apiKey, unreadable } = contentOf(entry);
	const { name, clinic, email = address } = lead ?? {};
	const faults = lead && state === 'quarantined' ? faultsOf(lead) : undefined;
	const knownBy = trained && lead ? featuresOf(lead) : undefined;
	return {
		id,
		kind,
		receivedAt: new Date(entry.receivedAt),
		state,
		unreadable,
		apiKey,
		spam,
		deliveries: entry.deliveries.map(shownDelivery),
		assigned: assigned && { by: assigned.by, at: new Date(assigned.at) },
		...(long && { name, clinic, email, faults, knownBy }),
	};
}

/** Says `delivered` in place of `sent`, as whole entries do. */
const shownDelivery = ({ channel, state, tries, dueAt, sentAt, lastError }: StoredDelivery) => ({
	channel,
	state: state === 'sent' ? 'delivered' : state,
	tries,
	nextTry: dueAt && new Date(dueAt),
	deliveredAt: sentAt && new Date(sentAt),
	lastError,
});

type ListOptions = Omit<Page, 'before'> & { before?: string | undefined; long?: true | undefined };

/**
 * `list`: a page of entries, with notices. The operator can show it to others: it holds nothing that a visitor wrote, except with
 * `--long`, for the quarantine, and for what is remembered of spam.
 */
export async function list(call: Call, { state, trained, limit, ...options }: ListOptions): Promise<void> {
	await using store = await call.openStore();
	const source = options.source === undefined ? undefined : sourceHash(store.secret, sourceGroup(options.source));
	const before = options.before === undefined ? undefined : await findEntry(store, options.before);
	// One entry more than the page shows whether there are older ones.
	const found = await store.list({ state, source, trained, before, limit: limit + 1 });
	const long = options.long || trained || state === 'quarantined';
	const entries = found.slice(0, limit).map((entry) => shownEntry(entry, long, trained));
	const next = found.length > limit ? entries.at(-1)!.id : undefined;
	const { oldestWaiting: _, ...counts } = await store.count();
	const total = states.reduce((sum, each) => sum + counts[each], 0);
	const most = states.some((each) => counts[each] === MOST_COUNTED) ? `, of each state ${MOST_COUNTED} at most` : '';
	const settings = call.settings();
	const configured = new Set(namesOf(channelsOf(settings).channels));
	const stranded = (await store.pendingChannels()).filter((channel) => !configured.has(channel));
	const rows = entries.flatMap((entry) => [...linesOf(entry), aboutEntry(entry, long, settings.LEAD_LANGUAGE)]);
	const parts = [
		rows.length > 0 && table(['Entry', 'Received UTC', 'State', 'Channel', 'Tries', 'Next try', 'Last error'], rows),
		next && `There are older ones: add --before ${referenceOf(next)} to this command.`,
		// Leads only: notices and confirmations need no operator.
		`${counted(total, 'lead')}: ${states.map((each) => `${counts[each]} ${each}`).join(', ')}${most}.`,
		counts.parked > 0 &&
			`Parked leads are not tried again by themselves. When the reason is gone: ${call.program} retry --parked\nTo close one for good: ${call.program} dismiss ID`,
		counts.quarantined > 0 &&
			`Quarantined leads look like spam, but may be real. See them: ${call.program} list --state quarantined\nTo deliver one: ${call.program} release ID`,
		stranded.length > 0 &&
			`Some leads wait for channels that these settings do not have: ${stranded.join(', ')}. Configure them again, or deliver over the others: ${call.program} retry --parked`,
	];
	call.print({ entries, next, counts }, parts.filter(Boolean).join('\n\n'));
}

function linesOf({ id, kind, receivedAt, state, deliveries }: ReturnType<typeof shownEntry>): TableRow[] {
	const start = [`${kind} ${referenceOf(id)}`, shortTime(receivedAt)];
	if (deliveries.length === 0) return [[...start, state]];
	return deliveries.map(({ channel, state, tries, nextTry, lastError }, index) => {
		const cells = [state, channel, tries, nextTry && timeUntil(nextTry), lastError];
		return [...(index === 0 ? start : ['', '']), ...cells];
	});
}

function aboutEntry(entry: ReturnType<typeof shownEntry>, long: boolean, language: string): string {
	const { unreadable, name, clinic, email, faults, knownBy, spam, apiKey, assigned } = entry;
	const parts = [
		unreadable,
		name,
		clinic,
		email,
		knownBy && [spam?.verdict, ...knownBy].join(' '),
		faults && (faults.length === 0 ? 'could be released' : `no lead: ${faults.join(', ')}`),
		...(long && spam ? reasonsIn(language, spam) : []),
		apiKey && `sent with key ${apiKey}`,
		assigned && `assigned to ${assigned.by}`,
	];
	return parts.filter(Boolean).join(' · ');
}

/** `show ID` */
export async function show(call: Call, id: string): Promise<void> {
	await using store = await call.openStore();
	const entry = await findEntry(store, id);
	const shown = shownEntry(entry);
	const rows = shown.deliveries.map(({ channel, state, tries, deliveredAt, nextTry, lastError }) => {
		const time = deliveredAt || nextTry;
		return [channel, state, tries, time && dateTime(time), lastError];
	});
	const assigned = shown.assigned ? `, assigned to ${shown.assigned.by} ${dateTime(shown.assigned.at)}` : '';
	const parts = [
		`${shown.kind} ${shown.id}\n${shown.state}, received ${dateTime(shown.receivedAt)}${assigned}`,
		withoutIsolates(textOf(await contentRows(entry, store, call.settings().LEAD_LANGUAGE))),
		rows.length > 0 ? table(['Channel', 'State', 'Tries', 'Delivered or next try', 'Last error'], rows) : 'No deliveries.',
	];
	call.print(wholeEntry(entry), parts.join('\n\n'));
}

/** Returns an entry with its content, for programs and for the person whose it is. */
export const wholeEntry = (entry: StoredEntry) => ({ ...contentOf(entry), ...shownEntry(entry) });

async function contentRows(entry: StoredEntry, store: LeadStore, language: string): Promise<Row[]> {
	const { kind, spam } = entry;
	const content = contentOf(entry);
	if (content.unreadable) return rowsOf({ Content: content.unreadable });
	if (kind === 'confirmation') return rowsOf({ To: content.address!, Language: content.language! });
	const { lead, noticeVersion, consentWording, apiKey } = content;
	if (!isKnown(entry)) return rowsOf({ Content: 'of a later version, which can show it' });
	if (!lead) return (await entryMessage(entry, store, { language, timeZone: 'UTC' })).rows;
	const given = `given to the privacy notice of ${noticeVersion}, ${dateTime(entry.receivedAt)}`;
	const evidence = [given, `“${consentWording}”`, lead.lang && `language ${lead.lang}`, lead.source && `on ${lead.source}`];
	return [
		...fieldRows(lead, defaultLanguage).map((row) => (row.name === 'website' ? Object.assign(row, { label: 'Honeypot' }) : row)),
		...senderRows(apiKey, await ownerName({ apiKey }, store.keys), defaultLanguage),
		{ label: 'Consent', value: lead.consent === 'on' ? evidence.filter(Boolean).join(', ') : 'not given', place: 'last' },
		...(spam ? [{ label: 'Verdict', value: [spam.verdict, ...reasonsIn(language, spam)].join('\n') }] : []),
	];
}
