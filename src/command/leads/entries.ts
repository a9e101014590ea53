import { dateTime, isoTime, shortTime, table, timeUntil } from '../printing.ts';
import type { Confirmation } from '../../lead/message/confirmation.ts';
import { type ReceivedLead, shortId } from '../../lead/message/message.ts';
import { faultsOf } from '../../lead/intake/honeypot.ts';
import type { Lead } from '../../lead/lead.ts';
import { reasonsIn } from '../../lead/spam/judgement.ts';
import type { LeadStore, StoredDelivery, StoredEntry } from '../../lead/store/store.ts';

const headings = ['Entry', 'Received UTC', 'State', 'Channel', 'Tries', 'Next try', 'Last error'];

/** Returns a row for each delivery of each entry, with its API key under it. @param long adds who it is from, and why it looks like spam */
export function entriesTable(entries: StoredEntry[], long: boolean, language: string): string {
	const now = Date.now();
	return table(
		headings,
		entries.flatMap((entry) => [...rowsOf(entry, now), ...underOf(entry, long, language)]),
	);
}

function underOf(entry: StoredEntry, long: boolean, language: string): { under: string }[] {
	const apiKey = apiKeyOf(entry);
	const under = [long && personText(entry, language), apiKey && `sent with key ${apiKey}`].filter(Boolean).join(' · ');
	return under === '' ? [] : [{ under }];
}

/** The payload was checked before it was saved, so it is not checked again. */
const apiKeyOf = ({ payload }: StoredEntry) => (JSON.parse(payload) as Partial<ReceivedLead>).apiKey;

function rowsOf(entry: StoredEntry, now: number): string[][] {
	const first = [`${entry.kind} ${shortId(entry.id)}`, shortTime(entry.receivedAt, now)];
	if (entry.deliveries.length === 0) return [[...first, entry.state, '', '', '', '']];
	return entry.deliveries.map((delivery, index) => [...(index === 0 ? first : ['', '']), ...cellsOf(delivery, now)]);
}

function cellsOf(delivery: StoredDelivery, now: number): string[] {
	const { channel, tries, dueAt, lastError } = delivery;
	return [deliveryState(delivery), channel, String(tries), dueAt === null ? '' : timeUntil(dueAt, now), lastError ?? ''];
}

/** Returns an entry for programs. @param long adds who it is from */
export function entryData(entry: StoredEntry, long: boolean) {
	const { id, kind, receivedAt, state, deliveries } = entry;
	const data = {
		id,
		kind,
		receivedAt: isoTime(receivedAt),
		state,
		apiKey: apiKeyOf(entry),
		spam: entry.spam,
		deliveries: deliveries.map(deliveryData),
	};
	return long ? { ...data, ...personData(entry) } : data;
}

/** Uses the word for a whole entry, which is `delivered` instead of `sent`. */
const deliveryState = ({ state }: StoredDelivery) => (state === 'sent' ? 'delivered' : state);

/** Returns a row for each delivery of one entry. */
export function deliveriesTable(deliveries: StoredDelivery[]): string {
	const rows = deliveries.map((delivery) => {
		const { channel, tries, dueAt, sentAt, lastError } = delivery;
		const time = sentAt ?? dueAt;
		return [channel, deliveryState(delivery), String(tries), time === null ? '' : dateTime(time), lastError ?? ''];
	});
	return table(['Channel', 'State', 'Tries', 'Delivered or next try', 'Last error'], rows);
}

/** Returns a delivery for programs. */
export const deliveryData = (delivery: StoredDelivery) => ({
	channel: delivery.channel,
	state: deliveryState(delivery),
	tries: delivery.tries,
	nextTry: isoTime(delivery.dueAt),
	deliveredAt: isoTime(delivery.sentAt),
	lastError: delivery.lastError,
});

/** In quarantine, a lead may lack any field. */
interface Person {
	name?: string | undefined;
	clinic?: string | undefined;
	email?: string | undefined;
	/** Only in quarantine: error codes that keep it from being a lead, such as `email_invalid`. Without any it can be released. */
	faults?: string[];
}

/** Returns who an entry is from or about, for programs. */
function personData({ kind, state, payload }: StoredEntry): Person {
	// The payload was checked before it was saved, so it is not checked again.
	const { lead, address } = JSON.parse(payload) as { lead?: Partial<Lead> } & Partial<Confirmation>;
	if (kind !== 'lead' || lead === undefined) return { email: address };
	const { name, clinic, email } = lead;
	return { name, clinic, email, ...(state === 'quarantined' && { faults: faultsOf(lead) }) };
}

/** Returns who an entry is from or about, on one line, for people. */
function personText(entry: StoredEntry, language: string): string {
	const { name, clinic, email, faults } = personData(entry);
	const verdict = faults && (faults.length === 0 ? 'could be released' : `no lead: ${faults.join(', ')}`);
	const reasons = entry.spam ? reasonsIn(language, entry.spam) : [];
	return [name, clinic, email, verdict, ...reasons].filter(Boolean).join(' · ');
}

/** The characters of ids. */
const idForm = /^[\da-f-]+$/;

/** Returns the entry whose id begins or ends with this, or a message if there is none or more than one. */
export async function findEntry(leads: LeadStore, part: string): Promise<StoredEntry | string> {
	const wanted = part.toLowerCase();
	const [found, another] = idForm.test(wanted) ? await leads.find(wanted) : [];
	if (found === undefined)
		return `There is no entry ${part}. It may have been purged or erased. To find it by the end of its id, write eight characters or more.`;
	return another === undefined ? found : `More than one entry has an id with ${part}. Write more of the id.`;
}
