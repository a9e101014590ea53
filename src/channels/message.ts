import type { KeyObject } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { fillWords, localeOf } from '../facts/language.ts';
import { API_ACCESS } from '../facts/links.ts';
import { commandOf, copyIn, languageFor, service, wordsIn } from '../facts/load.ts';
import { type Action, actionUrl } from '../lead/action.ts';
import { domainOf, mailto } from '../lead/email-address.ts';
import type { Lead } from '../lead/lead.ts';
import type { Judgement, SignalName } from '../lead/judgement.ts';
import type { KindName } from '../store/kinds.ts';
import type { NewEntry } from '../store/store.ts';
import { topicOf } from '../lead/source.ts';
import { truncate } from '../lead/text.ts';
import { consentField, consentWording, nameOf } from '../lead/words.ts';
import { fieldRows, inPlaces, type Link, linkRows, type Row, textOf } from './rows.ts';

/** The members that every entry and its message have. */
export interface Received {
	/** UUID, from which `Message-ID` and webhook id are made. A lead's is of version 7: the store keeps leads of the same time together. */
	id: string;
	/** ISO 8601, UTC. */
	receivedAt: string;
}

/** A lead as it was received: for the sales team, and as evidence of consent. */
export interface ReceivedLead extends Received {
	/** Version of the privacy notice that the visitor agreed to. */
	noticeVersion: string;
	/** The words beside the consent box, in the visitor's language. */
	consentWording: string;
	/** Id of the API key that the lead was sent with. The owner's name is stored with the key, and is deleted with it. */
	apiKey?: string;
	/** It came as a form without the honeypot, so not from our page. */
	form?: 'other';
	lead: Lead;
}

/** Returns a new lead, received now under the current privacy notice. */
export const receivedNow = (lead: Lead, how: Pick<ReceivedLead, 'apiKey' | 'form'> = {}): ReceivedLead => ({
	id: uuidv7(),
	receivedAt: new Date().toISOString(),
	noticeVersion: service.privacyNotice.version,
	consentWording: consentWording(languageFor(lead.lang)),
	...how,
	lead,
});

/** How long leads waited until somebody took them: half of them, and the last. */
export type TimesToTaken = Record<'leads' | 'medianSeconds' | 'longestSeconds', number>;

/**
 * The content of news for the sales team, by its type for programs. Stored news has no type: each has a member that no other has. It has
 * ids of leads at most, and the rest is read from the store when it is sent, so that nothing of a person is kept twice.
 */
export interface Notices {
	/** A channel is in trouble, for the reason why the last try failed. `parked`: a delivery is not tried again without an operator. */
	'channel.failing': { channel: string; reason: string; parked: boolean };
	/** There may be clinics in quarantine, since password managers fill the honeypot too: so many since the last notice, 5,000 at most. `lastWeek` as below. */
	'leads.quarantined': { number: number; lastWeek?: TimesToTaken };
	/** No lead has come since the last (ISO 8601, UTC), for longer than usual: than the longest pause before it, in milliseconds. */
	'leads.silent': { lastLead: string; longestPause: number };
	/** Nobody answers these leads, the oldest first, and so many more. On Mondays it has the times of the leads of the last seven days. */
	'leads.unanswered': { unanswered: string[]; more: number; lastWeek?: TimesToTaken };
	/** A mail to the person of this lead came back, with this enhanced status (RFC 3463). */
	'address.returned': { returned: string; status: string };
}

export type News = Notices[keyof Notices];

/** The content of the entries of each kind, beside their id and time. */
export interface Contents {
	lead: ReceivedLead;
	canary: ReceivedLead;
	notice: News;
	/** For chat: who answers a lead now, by its id. Undefined: nobody does any more. */
	remark: { about: string; by: string | undefined };
	/** For a visitor: their message came in. `about` is the lead's id, which the version before did not save. */
	confirmation: { address: string; language: string; about?: string };
}

export type Content<Kind extends KindName> = Received & Contents[Kind];

/** The content of an entry of any kind. In quarantine, a lead may lack any field. */
type AnyContent = Partial<
	Omit<ReceivedLead, 'lead'> & { lead: Partial<Lead> } & Contents['confirmation'] & { unreadable: string }
>;

/** Returns what a stored entry holds, which was checked before it was saved, or that it is unreadable. The store then has an empty object. */
export const contentOf = ({ payload }: Pick<NewEntry, 'payload'>): AnyContent =>
	payload === '{}' ? { unreadable: 'unreadable: its key does not unseal it' } : (JSON.parse(payload) as AnyContent);

/** A message to the sales team: each channel sends it in its own form. Any value may hold a visitor's text. */
export interface Message extends Received, Partial<Pick<ReceivedLead, 'lead' | 'consentWording'>> {
	/** The language of the subject and the labels: one of the published languages. */
	language: string;
	/** One line. */
	subject: string;
	rows: Row[];
	/** Links by which the sales team acts on the lead, for chat. */
	actions?: Link[];
	text: string;
	/** Whether the store keeps the entry long enough for people to find it there. By default it does not. */
	kept?: boolean;
	/** The id of the lead in whose thread it belongs, if it is of another entry. */
	thread?: string;
	/** The recipient, unless it is the sales team. */
	to?: string;
	spam?: Judgement;
	/** Whether the domain of the lead's address takes no mail. */
	noMail?: boolean;
	/** The message for programs. `Message-ID` begins with what is before the dot: lower-case letters, by which returned mails are known. */
	event: { type: keyof Notices | 'lead.received' | 'lead.answerer' | 'confirmation'; data: Record<string, unknown> };
}

/** How the sales team reads messages: its language, and its time zone in the IANA database. */
export interface Team {
	language: string;
	timeZone: string;
	/** The secret that signs the links by which readers act. Undefined: messages have no such links. */
	linkSecret?: KeyObject;
}

/** Returns the reasons of a judgement in words. A stored one may have signals that no longer exist. */
export const reasonsIn = (language: string, { signals }: Judgement): string[] =>
	signals.flatMap((name) => wordsIn(language).spamReasons[name as SignalName] ?? []);

/** Returns the row that says why a lead looks like spam, if it does. */
export const spamRows = (spam: Judgement | undefined, language: string): Row[] =>
	spam && spam.verdict !== 'clear'
		? [{ name: 'spam', label: wordsIn(language).team.spam, value: reasonsIn(language, spam).join(' ') }]
		: [];

/** Facts about a lead that it does not hold itself. */
export type Known = Pick<Message, 'kept' | 'spam' | 'noMail'>;

/** Returns the message that tells the sales team of a lead. `owner` has the lead's API key, if known. */
export function messageOf(received: ReceivedLead, reader: Team, how: Known & { owner?: string } = {}): Message {
	const { owner, ...known } = how;
	const { kept, spam, noMail } = known;
	const { id, receivedAt, noticeVersion, apiKey, lead } = received;
	const { website: _, ...fields } = lead;
	const { language } = reader;
	const { team, actions: words } = wordsIn(language);
	const asksForAccess = lead.source === API_ACCESS;
	const agreed = fillWords(team.agreed, { version: noticeVersion });
	const isMarked = spam?.verdict === 'marked';
	const sent = { id, receivedAt: sentAt(receivedAt) };
	const actions = linksTo(['taken', ...(isMarked ? (['not-spam'] as const) : []), 'spam'], sent, reader);
	const offer = topicOf(lead.source ?? '', language)?.name;
	const rows = inPlaces([
		...(offer ? [{ label: copyIn(language).priceAction, value: offer, place: 'first' as const }] : []),
		...fieldRows(fields, language, noMail ? domainOf(lead.email) : undefined),
		...spamRows(spam, language),
		...(asksForAccess && service.keys !== 'none' ? [issueRow(kept ? id : undefined)] : []),
		...linkRows(words.act, actions),
		...senderRows(apiKey, owner, language),
		{ label: nameOf(consentField, language), value: agreed, place: 'last', inChat: false },
		{ label: team.reference, value: referenceOf(id), place: 'last' },
		{ label: team.received, value: localTime(receivedAt, reader), place: 'last' },
	]).flat();
	// Mail programs can sort by this mark.
	const mark = isMarked ? '[spam?] ' : '';
	return {
		...received,
		language,
		subject: mark + subjectOf(lead, asksForAccess ? team.accessRequest : team.lead),
		rows,
		actions,
		text: textOf(rows),
		...known,
		event: {
			type: 'lead.received',
			data: {
				id,
				reference: referenceOf(id),
				receivedAt,
				noticeVersion,
				...(apiKey && { apiKey: { id: apiKey, owner } }),
				...(spam && { spam }),
				...fields,
			},
		},
	};
}

/** Returns the time of a message whose entry came then: the same for two hours, so that each try is the same, and then now, since it waited or was held. */
export const sentAt = (receivedAt: string): string =>
	Date.now() - Date.parse(receivedAt) > 2 * 3600_000 ? new Date().toISOString() : receivedAt;

/** Returns links by which the sales team acts on the entry `id`. `receivedAt` is the time of the message that has the links. */
export function linksTo(names: Action[], { id, receivedAt }: Received, { language, linkSecret }: Team): Link[] {
	const { actions } = wordsIn(language);
	return linkSecret ? names.map((name) => ({ label: actions[name], url: actionUrl(name, id, receivedAt, linkSecret) })) : [];
}

/** In UTF-16 code units. Windows opens no longer one. */
const LONGEST_LINK = 2000;

/** Returns the link that opens an answer to a lead that mail can answer, with the subject in the visitor's language. @param quoted as much of it is in the answer as fits */
export function answerLinks({ id, lead, language, noMail }: Message, quoted = ''): Link[] {
	if (!lead || noMail) return [];
	const subject = fillWords(copyIn(languageFor(lead.lang)).answerSubject, { reference: referenceOf(id) });
	const url = `${mailto(lead.email)}?subject=${encodeURIComponent(subject)}`;
	const quotation = (length: number) => `\n\n${truncate(quoted, length).replace(/^/gm, '> ')}`.replaceAll('\n', '\r\n');
	const urlWith = (length: number) => (quoted ? `${url}&body=${encodeURIComponent(quotation(length))}` : url);
	let length = Math.min(quoted.length, LONGEST_LINK);
	while (length > 0 && urlWith(length).length > LONGEST_LINK) length = Math.floor(length * 0.9);
	return [{ label: wordsIn(language).team.answer, url: urlWith(length) }];
}

/** Returns the row that names the owner of the lead's API key, if it was sent with one. An erased owner has no name. */
export function senderRows(apiKey: string | undefined, owner: string | undefined, language: string): Row[] {
	if (apiKey === undefined) return [];
	const { sentBy, withKey, unknownOwner } = wordsIn(language).team;
	const value = fillWords(withKey, { owner: owner ?? unknownOwner, key: apiKey });
	return [{ label: sentBy, value, place: 'last' }];
}

/** Returns a time in a time zone as readers of a language write it, with the zone: `November 21, 2026 at 10:30 AM GMT+1`. */
export function localTime(time: string | number, { timeZone, language }: Pick<Team, 'timeZone' | 'language'>): string {
	const name = `${language} ${timeZone}`;
	// To make a format takes fifty times as long as to use it.
	const format = formats.get(name) ?? new Intl.DateTimeFormat(localeOf(language), { ...full, timeZone });
	formats.set(name, format);
	return format.format(new Date(time));
}

const formats = new Map<string, Intl.DateTimeFormat>();

const full = {
	year: 'numeric',
	month: 'long',
	day: 'numeric',
	hour: 'numeric',
	minute: '2-digit',
	timeZoneName: 'short',
} as const;

/** In UTF-16 code units. Even escaped, a subject of this length is within the limit of each chat service. */
const SUBJECT_LENGTH = 120;

function subjectOf({ name, clinic, country }: Lead, words: string): string {
	const who = [name, clinic, country].filter(Boolean).join(', ');
	const { length } = fillWords(words, { who: '' });
	return fillWords(words, { who: truncate(who, SUBJECT_LENGTH - length) });
}

/** @param id of a lead that the command finds in the store */
const issueRow = (id: string | undefined): Row => ({
	label: 'To issue a key',
	value: `${commandOf('keys')} issue ${id ? `--for ${referenceOf(id)}` : '--name NAME --email EMAIL'}`,
});

/** The digits of Crockford's base 32 (https://www.crockford.com/base32.html): without I, L, O and U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns the name of an entry for people, such as `7Q4F-K2M9`: the last forty bits of its UUID, which are random. */
export function referenceOf(id: string): string {
	let text = '';
	for (let bits = Number(`0x${id.slice(-10)}`); text.length < 9; bits = Math.floor(bits / 32))
		text = `${DIGITS[bits % 32]}${text.length === 4 ? '-' : ''}${text}`;
	return text;
}

/** Returns the part of an id that a person has written: a reference, in any case and with O for 0 and I or L for 1, or else the part itself. */
export function idPartOf(written: string): string {
	const text = written.toUpperCase().replace(/^(.{4})-(.{4})$/, '$1$2');
	const values = [...text.replaceAll('O', '0').replaceAll(/[IL]/g, '1')].map((digit) => DIGITS.indexOf(digit));
	if (values.length !== 8 || values.includes(-1) || /^[\dA-F]{8}$/i.test(written)) return written.toLowerCase();
	const number = values.reduce((sum, value) => sum * 32 + value, 0);
	return number.toString(16).padStart(10, '0');
}
