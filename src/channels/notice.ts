import { countText, fillWords } from '../facts/language.ts';
import { commandOf, defaultLanguage, origin, service, wordsIn } from '../facts/load.ts';
import type { Lead } from '../lead/lead.ts';
import { cleanLine, truncate } from '../lead/text.ts';
import { DAY_MS, roughTime } from '../lead/values.ts';
import type { LeadStore, NewEntry, StoredEntry } from '../store/store.ts';
import { contentOf, linksTo, localTime, referenceOf, spamRows } from './message.ts';
import type { Content, Message, Notices, Received, Team, TimesToTaken } from './message.ts';
import { fieldRows, type Link, linkRows, type Row, rowsOf, textOf } from './rows.ts';

/** The most possible leads that a notice shows, and that chat does, where each has a numbered button: Discord has five in a row. The most of a message, in UTF-16 code units. */
const [SHOWN, IN_CHAT, GIST_LENGTH] = [20, 5, 300];

type StoredLead = Pick<NewEntry, 'id' | 'payload' | 'spam'>;
type NoticeOf<Type extends keyof Notices> = Received & Notices[Type];

interface Wording<Type extends keyof Notices> {
	/** No other news has it. */
	member: keyof Notices[Type];
	/** By default it is in the team's language, because it is for sales alone. */
	isEnglish?: boolean;
	/** @param leads those that it names @returns the rest of its subject, and its rows */
	word(news: NoticeOf<Type>, team: Team, leads: StoredLead[]): { about: string; rows: Row[] };
}

export const wordings: { [Type in keyof Notices]: Wording<Type> } = {
	'channel.failing': { member: 'channel', isEnglish: true, word: aboutChannel },
	'leads.quarantined': { member: 'number', word: aboutQuarantine },
	'leads.silent': { member: 'lastLead', isEnglish: true, word: aboutSilence },
	'leads.unanswered': { member: 'unanswered', word: aboutUnanswered },
	'address.returned': { member: 'returned', word: aboutReturned },
};

/** Returns the type of stored news, or undefined if this version does not know it. */
export const typeOf = (news: object) =>
	(Object.keys(wordings) as (keyof Notices)[]).find((type) => wordings[type].member in news);

/** Returns a notice as the channels deliver it. @param leads those that it names */
export function noticeMessage(notice: Content<'notice'>, team: Team, leads: StoredLead[] = []): Message {
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

/** Returns the leads that a notice names, as far as they still are what it says. */
export async function leadsOf(notice: Content<'notice'>, store: Pick<LeadStore, 'announcedBy' | 'find'>): Promise<StoredEntry[]> {
	if ('number' in notice) return store.announcedBy(notice.id, SHOWN);
	if ('returned' in notice) return store.find(notice.returned);
	const found = await Promise.all('unanswered' in notice ? notice.unanswered.map(store.find) : []);
	return found.flat().filter(({ assigned, spam }) => !assigned && spam?.verdict !== 'spam');
}

function aboutChannel(notice: NoticeOf<'channel.failing'>, team: Team) {
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

function aboutReturned({ returned, status }: NoticeOf<'address.returned'>, { language }: Team, [entry]: StoredLead[]) {
	const reference = referenceOf(returned);
	const { name, clinic, email, phone, message = '' }: Partial<Lead> = (entry && contentOf(entry).lead) ?? {};
	const { team: words } = wordsIn(language);
	const known = { name, clinic, email, phone, message: gistOf(message) };
	const rows = fieldRows(known, language, `${email ?? reference} (${status})`);
	const about = fillWords(words.returned, { who: name ?? reference });
	return { about, rows: [...rows, ...rowsOf({ [words.reference]: reference })] };
}

function aboutSilence({ lastLead, longestPause, receivedAt }: NoticeOf<'leads.silent'>, team: Team) {
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

function aboutQuarantine({ number, lastWeek, receivedAt }: NoticeOf<'leads.quarantined'>, team: Team, held: StoredLead[]) {
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

function aboutUnanswered({ more, lastWeek, receivedAt }: NoticeOf<'leads.unanswered'>, team: Team, leads: StoredLead[]) {
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
	{ id, payload, spam }: StoredLead,
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
