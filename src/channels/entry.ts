import { randomUUID } from 'node:crypto';
import { countText, fillWords } from '../facts/language.ts';
import { commandOf, copyIn, defaultLanguage, origin, service, wordsIn } from '../facts/load.ts';
import type { Lead } from '../lead/lead.ts';
import { cleanLine, truncate } from '../lead/text.ts';
import { DAY_MS, roughTime } from '../lead/values.ts';
import type { KeyStore } from '../store/key-store.ts';
import type { KindName } from '../store/kinds.ts';
import type { LeadStore, NewEntry, Once, StoredEntry } from '../store/store.ts';
import { linksTo, localTime, messageOf, referenceOf, spamRows } from './message.ts';
import type { Message, News, Notices, Received, ReceivedLead, Team, TimesToTaken } from './message.ts';
import { fieldRows, isolated, type Link, linkRows, type Row, rowsOf, textOf } from './rows.ts';

/** Tells a visitor that their message came in: with the lead's time, and with nothing that they wrote but address and language. */
export interface Confirmation extends Received {
	address: string;
	language: string;
	/** The lead's reference. Undefined: the version before saved it. */
	reference?: string;
}

interface OwnContent {
	notice: News;
	/** For chat: who answers a lead now, by its id. Undefined: nobody does any more. */
	remark: { about: string; by: string | undefined };
	confirmation: Omit<Confirmation, 'id'>;
}

type Own<Kind extends keyof OwnContent> = Received & OwnContent[Kind];
type Notice = Own<'notice'>;

type StoredContent = Pick<NewEntry, 'id' | 'payload' | 'spam'>;

/** The most possible leads that a notice shows, and that chat does, where each has a numbered button: Discord has five in a row. The most of a message, in UTF-16 code units. */
const [SHOWN, IN_CHAT, GIST_LENGTH] = [20, 5, 300];

/** The content of an entry. In quarantine, a lead may lack any field. */
type Content = Omit<Partial<ReceivedLead>, 'lead'> & Partial<Confirmation> & { lead?: Partial<Lead>; unreadable?: string };

/** Returns what a stored entry holds, which was checked before it was saved, or that it is unreadable. The store then has an empty object. */
export const contentOf = ({ payload }: Pick<NewEntry, 'payload'>): Content =>
	payload === '{}' ? { unreadable: 'unreadable: its key does not unseal it' } : (JSON.parse(payload) as Content);

/** All that a message needs beside the content of its entry. */
interface Surroundings extends Pick<StoredContent, 'spam'> {
	noMail?: boolean;
	store: Pick<LeadStore, 'announcedBy' | 'find' | 'keys'>;
	team: Team;
	kept: boolean;
}

/** How an entry of each kind is made into a message. */
const messages: {
	[Kind in KindName]: (
		content: Kind extends keyof OwnContent ? Own<Kind> : ReceivedLead,
		around: Surroundings,
	) => Message | Promise<Message>;
} = {
	lead: leadMessage,
	canary: (received, around) =>
		leadMessage(received, { ...around, team: { ...around.team, linkSecret: undefined }, kept: false }),
	notice: async (notice, { store, team, kept }) => ({ ...noticeMessage(notice, team, await leadsOf(notice, store)), kept }),
	remark: remarkMessage,
	confirmation: confirmationMessage,
};

/** Returns the message of a stored entry, or rejects if it is unreadable. `keptFor`: how long after it came people find it there, in milliseconds. */
export async function entryMessage(
	{ kind, payload, spam, noMail }: StoredContent & Pick<NewEntry, 'kind'> & { noMail?: boolean },
	store: Surroundings['store'],
	team: Team,
	keptFor = Infinity,
): Promise<Message> {
	const content = contentOf({ payload });
	if (content.unreadable) throw Object.assign(new Error(content.unreadable), { code: content.unreadable });
	const kept = Date.now() - Date.parse((content as Received).receivedAt) < keptFor;
	return messages[kind](content as never, { spam, noMail, store, team, kept });
}

async function leadMessage(received: ReceivedLead, { store, team, kept, ...how }: Surroundings): Promise<Message> {
	return { ...messageOf(received, team, { ...how, owner: await ownerName(received, store.keys) }), kept };
}

/** Returns the leads that a notice names, as far as they still are what it says. */
async function leadsOf(notice: Notice, store: Pick<LeadStore, 'announcedBy' | 'find'>): Promise<StoredEntry[]> {
	if ('number' in notice) return store.announcedBy(notice.id, SHOWN);
	if ('returned' in notice) return store.find(notice.returned);
	const found = await Promise.all('unanswered' in notice ? notice.unanswered.map(store.find) : []);
	return found.flat().filter(({ assigned, spam }) => !assigned && spam?.verdict !== 'spam');
}

/** Returns the name of the owner of the lead's API key, or undefined if there was no key or it is gone. */
export async function ownerName({ apiKey }: Pick<ReceivedLead, 'apiKey'>, keys: KeyStore): Promise<string | undefined> {
	return apiKey === undefined ? undefined : (await keys.find(apiKey))?.owner.name;
}

/** Returns the confirmation as the visitor reads it: how fast the answer comes, where to book a time, and who writes. */
export function confirmationMessage({ id, receivedAt, address, language, reference }: Confirmation): Message {
	const { confirmation, next } = copyIn(language);
	const { answerWorkingDays: days, bookingUrl: url, legalName, company, address: seat, register } = service;
	const words = fillWords(confirmation.text, {
		answer: days ? countText(next.answer, days, language) : '',
		booking: url ? fillWords(confirmation.booking, { url }) : '',
		reference: reference ? fillWords(confirmation.reference, { reference }) : '',
	});
	const imprint = [legalName ?? company, seat, register].filter(Boolean).join('\n');
	return {
		id,
		receivedAt,
		language,
		subject: confirmation.subject,
		text: `${words}\n\n${imprint}`.replace(/ *\n{2,}/g, '\n\n'),
		rows: [],
		to: address,
		event: { type: 'confirmation', data: {} },
	};
}

/** Returns a remark in chat: one line, with the link that takes a lead that nobody answers. */
async function remarkMessage({ about, by = '', ...received }: Own<'remark'>, { store, team }: Surroundings): Promise<Message> {
	const { language } = team;
	const { answers, free } = wordsIn(language).actions;
	const [entry] = await store.find(about);
	const clinic = entry && contentOf(entry).lead?.clinic;
	const lead = referenceOf(about) + (clinic ? ` (${truncate(clinic, CLINIC_LENGTH)})` : '');
	const words = by ? answers : free;
	const subject = fillWords(words, { name: isolated(by, words), lead: isolated(lead, words) });
	const actions = by ? [] : linksTo(['taken'], { id: about, receivedAt: received.receivedAt }, team);
	const event = { type: 'lead.answerer' as const, data: {} };
	return { ...received, language, subject, rows: [], actions, text: '', thread: about, event };
}

/** In UTF-16 code units. With a colleague's name a remark then has the length of a subject at most. */
const CLINIC_LENGTH = 30;

interface Wording<Type extends keyof Notices> {
	/** No other news has it. */
	member: keyof Notices[Type];
	/** By default it is in the team's language, because it is for sales alone. */
	isEnglish?: boolean;
	/** @param leads those that it names @returns the rest of its subject, and its rows */
	word(news: Of<Type>, team: Team, leads: StoredContent[]): { about: string; rows: Row[] };
}

type Of<Type extends keyof Notices> = Received & Notices[Type];

export const wordings: { [Type in keyof Notices]: Wording<Type> } = {
	'channel.failing': { member: 'channel', isEnglish: true, word: aboutChannel },
	'leads.quarantined': { member: 'number', word: aboutQuarantine },
	'leads.silent': { member: 'lastLead', isEnglish: true, word: aboutSilence },
	'leads.unanswered': { member: 'unanswered', word: aboutUnanswered },
	'address.returned': { member: 'returned', word: aboutReturned },
};

const typeOf = (news: object) => (Object.keys(wordings) as (keyof Notices)[]).find((type) => wordings[type].member in news);

/** Returns whether this version can send an entry. A later one, which runs beside it, may save another kind, or other news. */
export function isKnown({ kind, payload }: Pick<NewEntry, 'kind' | 'payload'>): boolean {
	if (kind !== 'notice') return Object.hasOwn(messages, kind);
	const content = contentOf({ payload });
	return 'unreadable' in content || typeOf(content) !== undefined;
}

/** Returns a notice as the channels deliver it. @param leads those that it names */
export function noticeMessage(notice: Notice, team: Team, leads: StoredContent[] = []): Message {
	const { id, receivedAt } = notice;
	const type = typeOf(notice)!;
	const { isEnglish, word } = wordings[type] as Wording<typeof type>;
	const reader = isEnglish ? { ...team, language: defaultLanguage } : team;
	const { about, rows } = word(notice as never, reader, leads);
	const firstLinks = rows.flatMap(({ links = [] }) => links.slice(0, 1)).slice(0, IN_CHAT);
	const numbered = firstLinks.map(({ label, url }, index) => ({ label: `${label} (${index + 1})`, url }));
	return {
		id,
		receivedAt,
		language: reader.language,
		subject: `${service.name}: ${about}`,
		rows,
		actions: firstLinks.length > 1 ? numbered : firstLinks,
		text: textOf(rows),
		event: { type, data: { ...notice } },
	};
}

function aboutChannel(notice: Of<'channel.failing'>, team: Team) {
	const { channel, reason, parked, receivedAt } = notice;
	const links = parked ? linksTo(['send-again'], notice, team) : [];
	const advice = parked
		? `Leads wait for this channel and are not tried again by themselves. Mend the reason, which handbook/troubleshooting.md explains, then ${links.length > 0 ? 'open the link below, or ' : ''}run: ${commandOf('leads')} retry --parked`
		: 'Leads wait for this channel and are tried again by themselves. If it does not come back, handbook/troubleshooting.md explains the reason.';
	const since = localTime(receivedAt, team);
	return {
		about: `leads do not reach ${channel}`,
		rows: [...rowsOf({ Channel: channel, Reason: reason, 'What to do': advice, Since: since }), ...linkRows('Link', links)],
	};
}

function aboutReturned({ returned, status }: Of<'address.returned'>, { language }: Team, [entry]: StoredContent[]) {
	const reference = referenceOf(returned);
	const { name, clinic, email, phone, message = '' }: Partial<Lead> = (entry && contentOf(entry).lead) ?? {};
	const { team: words } = wordsIn(language);
	return {
		about: fillWords(words.returned, { who: name ?? reference }),
		rows: [
			...fieldRows({ name, clinic, email, phone, message: gistOf(message) }, language, `${email ?? reference} (${status})`),
			...rowsOf({ [words.reference]: reference }),
		],
	};
}

function aboutSilence({ lastLead, longestPause, receivedAt }: Of<'leads.silent'>, team: Team) {
	const since = Math.floor((Date.parse(receivedAt) - Date.parse(lastLead)) / DAY_MS);
	const advice = [
		'Send a lead by the contact page yourself, and see whether it arrives.',
		`If not: ${commandOf('doctor')} ${origin}`,
		'If it does, there was no lead. LEAD_SILENCE_ALERT=off turns this notice off.',
	];
	return {
		about: `no lead for ${since} days`,
		rows: rowsOf({
			'Last lead': localTime(lastLead, team),
			'Longest pause before': roughTime(longestPause / 1000),
			'What to do': advice.join('\n'),
		}),
	};
}

function aboutQuarantine({ number, lastWeek, receivedAt }: Of<'leads.quarantined'>, team: Team, held: StoredContent[]) {
	const { language, linkSecret } = team;
	const { team: words, actions, quarantine } = wordsIn(language);
	const leads = held.flatMap((entry, index) => {
		const { id } = entry;
		const links = linksTo(['not-spam', 'spam'], { id, receivedAt }, team);
		const release = `${commandOf('leads')} release ${referenceOf(id)}`;
		// Behind a label: a name may have the words of a command.
		const facts = linkSecret ? [] : rowsOf({ [actions['not-spam']]: fillWords(words.byCommand, { command: release }) });
		return leadRows(entry, index, language, { facts, links, inChat: links.length > 0 && index < IN_CHAT });
	});
	const all = fillWords(quarantine.all, { command: `${commandOf('leads')} list --state quarantined --long` });
	const advice = linkSecret ? `${fillWords(quarantine.release, { link: actions['not-spam'] })}\n${all}` : all;
	const about = countText(quarantine.title, number, language);
	const rows = [...rowsOf({ [quarantine.advice]: advice }), ...leads, ...weekRows(lastWeek, language)];
	return { about, rows };
}

function aboutUnanswered({ more, lastWeek, receivedAt }: Of<'leads.unanswered'>, team: Team, leads: StoredContent[]) {
	const { language } = team;
	const { reminder: words } = wordsIn(language);
	const rows = leads.flatMap((entry, index) => {
		const { receivedAt: came = receivedAt } = contentOf(entry);
		const facts = rowsOf({ [words.age]: roughTime((Date.parse(receivedAt) - Date.parse(came)) / 1000, language) });
		return leadRows(entry, index, language, { facts, links: linksTo(['taken'], { id: entry.id, receivedAt }, team) });
	});
	const rest = rowsOf({ ...(more > 0 && { [words.more]: String(more) }), [words.answered]: words.press });
	const about = countText(words.title, leads.length + more, language);
	return { about, rows: [...rows, ...rest, ...weekRows(lastWeek, language)] };
}

function weekRows(lastWeek: TimesToTaken | undefined, language: string): Row[] {
	if (!lastWeek) return [];
	const { reminder: words } = wordsIn(language);
	const [median, longest] = [lastWeek.medianSeconds, lastWeek.longestSeconds].map((seconds) => roughTime(seconds, language));
	const value = fillWords(words.taken, { count: String(lastWeek.leads), median: median!, longest: longest! });
	return [{ label: words.lastWeek, value }];
}

/** Returns the beginning of a message, as one line. */
const gistOf = (message: string) => truncate(cleanLine(message), GIST_LENGTH);

/** Returns the rows of a lead that a notice names: whose it is, with more facts of it, the beginning of its message as one line, and links. The privacy notice names the fields. */
function leadRows(
	{ id, payload, spam }: StoredContent,
	index: number,
	language: string,
	{ facts, links, inChat = true }: { facts: Row[]; links: Link[]; inChat?: boolean },
): Row[] {
	const { unreadable, lead: { name = unreadable, clinic, email, phone, message = '' } = {} } = contentOf({ payload });
	const value = textOf([...fieldRows({ name, clinic, email, phone }, language), ...spamRows(spam, language), ...facts]);
	const gist = fieldRows({ message: gistOf(message) }, language);
	return [
		{ label: `${index + 1}. ${referenceOf(id)}`, value, inChat },
		...gist.map((row) => ({ label: row.label, value: row.value, inChat, freeText: true })),
		...linkRows(wordsIn(language).actions.act, links),
	];
}

/** Returns the entry of a message that the service itself sends. @param content has its time if that is not now */
export function ownEntry<Kind extends keyof OwnContent>(
	kind: Kind,
	content: OwnContent[Kind],
	channels: string[],
	once?: Once,
): NewEntry {
	const payload = { id: randomUUID(), receivedAt: new Date().toISOString(), ...content };
	const receivedAt = Date.parse(payload.receivedAt);
	const email = 'address' in content ? content.address : null;
	return { id: payload.id, kind, receivedAt, email, source: null, payload: JSON.stringify(payload), channels, once };
}
