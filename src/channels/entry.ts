import { randomUUID } from 'node:crypto';
import { countText, fillWords, isRightToLeft } from '../facts/language.ts';
import { copyIn, service, wordsIn } from '../facts/load.ts';
import { truncate } from '../lead/text.ts';
import type { KeyStore } from '../store/key-store.ts';
import type { KindName } from '../store/kinds.ts';
import type { LeadStore, NewEntry, Once } from '../store/store.ts';
import { contentOf, linksTo, messageOf, referenceOf } from './message.ts';
import type { Content, Contents, Known, Message, ReceivedLead, Team } from './message.ts';
import { leadsOf, noticeMessage, typeOf } from './notice.ts';
import { isolated } from './rows.ts';

/** All that a message needs beside the content of its entry. */
type Surroundings = Known & {
	store: Pick<LeadStore, 'announcedBy' | 'find' | 'keys'>;
	team: Team;
};

/** How an entry of each kind is made into a message. */
const messages: { [Kind in KindName]: (content: Content<Kind>, around: Surroundings) => Message | Promise<Message> } = {
	lead: leadMessage,
	canary: (received, around) => leadMessage(received, { ...around, team: { ...around.team, linkSecret: undefined } }),
	notice: async (notice, { store, team }) => noticeMessage(notice, team, await leadsOf(notice, store)),
	remark: remarkMessage,
	confirmation: confirmationMessage,
};

/** Returns the message of a stored entry, or rejects if it is unreadable. `keptFor`: how long after it came people find it there, in milliseconds. */
export async function entryMessage(
	{ kind, payload, spam, noMail }: Pick<NewEntry, 'kind' | 'payload' | 'spam'> & Pick<Message, 'noMail'>,
	store: Surroundings['store'],
	team: Team,
	keptFor = Infinity,
): Promise<Message> {
	const content = contentOf({ payload });
	if (content.unreadable) throw Object.assign(new Error(content.unreadable), { code: content.unreadable });
	const kept = kind !== 'canary' && Date.now() - Date.parse(content.receivedAt!) < keptFor;
	return { ...(await messages[kind](content as never, { spam, noMail, kept, store, team })), kept };
}

/** Returns whether this version can send an entry. A later one, which runs beside it, may save another kind, or other news. */
export function isKnown({ kind, payload }: Pick<NewEntry, 'kind' | 'payload'>): boolean {
	if (kind !== 'notice') return Object.hasOwn(messages, kind);
	const content = contentOf({ payload });
	return 'unreadable' in content || typeOf(content) !== undefined;
}

async function leadMessage(received: ReceivedLead, { store, team, ...how }: Surroundings): Promise<Message> {
	return messageOf(received, team, { ...how, owner: await ownerName(received, store.keys) });
}

/** Returns the name of the owner of the lead's API key, or undefined if there was no key or it is gone. */
export async function ownerName({ apiKey }: Pick<ReceivedLead, 'apiKey'>, keys: KeyStore): Promise<string | undefined> {
	return apiKey === undefined ? undefined : (await keys.find(apiKey))?.owner.name;
}

/** Returns the confirmation as the visitor reads it: how fast the answer comes, where to book a time, and who writes. */
export function confirmationMessage({ id, receivedAt, address, language, about }: Content<'confirmation'>): Message {
	const { confirmation, next } = copyIn(language);
	const { answerWorkingDays: days, bookingUrl: url, legalName, company, address: seat, register } = service;
	const reference = about ? referenceOf(about) : '';
	const words = fillWords(confirmation.text, {
		answer: days ? countText(next.answer, days, language) : '',
		booking: url ? fillWords(confirmation.booking, { url }) : '',
		reference: reference && fillWords(confirmation.reference, { reference }),
	});
	const imprint = [legalName ?? company, seat, register].filter(Boolean).join('\n');
	return {
		id,
		receivedAt,
		language,
		subject: fillWords(confirmation.subject, { reference }),
		// Many programs show plain text from the left, and would mix up such lines. No mark ends them, because a link would take it in.
		text: `${words}\n\n${imprint}`.replace(/ *\n{2,}/g, '\n\n').replace(/^(?=.)/gm, isRightToLeft(language) ? '\u202B' : ''),
		rows: [],
		to: address,
		event: { type: 'confirmation', data: {} },
	};
}

/** Returns a remark in chat: one line, with the link that takes a lead that nobody answers. */
async function remarkMessage({ about, by = '', ...received }: Content<'remark'>, { store, team }: Surroundings) {
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

/** Returns the entry of a message that the service itself sends. @param content has its time if that is not now */
export function ownEntry<Kind extends 'notice' | 'remark' | 'confirmation'>(
	kind: Kind,
	content: Contents[Kind] & { receivedAt?: string },
	channels: string[],
	once?: Once,
): NewEntry {
	const payload = { id: randomUUID(), receivedAt: new Date().toISOString(), ...content };
	const receivedAt = Date.parse(payload.receivedAt);
	const email = 'address' in content ? content.address : null;
	return { id: payload.id, kind, receivedAt, email, source: null, payload: JSON.stringify(payload), channels, once };
}
