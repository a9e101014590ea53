import { randomUUID } from 'node:crypto';
import { defaultLanguage, origin, service } from '../facts/load.ts';
import { reasonsIn } from '../lead/judgement.ts';
import { roughTime } from '../lead/values.ts';
import type { KeyStore } from '../store/key-store.ts';
import type { LeadStore, NewEntry, Once } from '../store/store.ts';
import { type Confirmation, confirmationMessage } from './confirmation.ts';
import { linksTo, localTime, type Message, messageOf, type ReceivedLead, shortId, type Team } from './message.ts';
import { linkRows, linkText, type Row, textOf } from './rows.ts';

/** News for the sales team, as it is stored. */
export type Notice = { id: string; receivedAt: string } & (Trouble | PossibleLeads | Silence);

/** A channel is in trouble. It holds nothing of a lead. */
interface Trouble {
	/** The channel's name. */
	channel: string;
	/** Why the last try failed. */
	reason: string;
	/** Whether the channel gave up: `false` while it is tried again without an operator. */
	parked: boolean;
}

/**
 * There may be clinics among what lies in quarantine, since password managers fill the honeypot too. Their names are read from the
 * store when the notice is sent, so that nothing of a person is kept twice.
 */
interface PossibleLeads {
	/** Those since the last notice, 5,000 at most. */
	number: number;
}

/** No lead has come for longer than usual. */
interface Silence {
	/** When the last one came: ISO 8601, UTC. */
	lastLead: string;
	/** In milliseconds: the longest pause between two leads before it. */
	longestPause: number;
}

type StoredContent = Pick<NewEntry, 'id' | 'payload' | 'spam'>;

/** The most possible leads that a notice shows. The list has the others. */
const SHOWN = 20;

/** Returns the message of a stored entry. The payload was checked before it was saved, so it is not checked again. */
export async function entryMessage(
	{ kind, payload, spam }: StoredContent & Pick<NewEntry, 'kind'>,
	store: Pick<LeadStore, 'announcedBy' | 'keys'>,
	team: Team,
): Promise<Message> {
	const content: unknown = JSON.parse(payload);
	if (kind === 'confirmation') return confirmationMessage(content as Confirmation);
	if (kind === 'lead') {
		const received = content as ReceivedLead;
		return messageOf(received, team, { spam, owner: await ownerName(received, store.keys) });
	}
	const notice = content as Notice;
	return noticeMessage(notice, team, 'number' in notice ? await store.announcedBy(notice.id, SHOWN) : []);
}

/** Returns the name of the owner of the lead's API key, or undefined if there was no key or it is gone. */
export async function ownerName({ apiKey }: Pick<ReceivedLead, 'apiKey'>, keys: KeyStore): Promise<string | undefined> {
	return apiKey === undefined ? undefined : (await keys.find(apiKey))?.owner.name;
}

/** Returns a notice as the channels deliver it. Its words are English. @param held the leads that are still in quarantine */
export function noticeMessage(notice: Notice, team: Team, held: StoredContent[] = []): Message {
	const { id, receivedAt } = notice;
	const isTrouble = 'channel' in notice;
	const { about, rows: told } = isTrouble
		? aboutChannel(notice, receivedAt, team)
		: 'number' in notice
			? aboutQuarantine(notice, held, team)
			: aboutSilence(notice, team);
	const actions = isTrouble && notice.parked ? linksTo(['send-again'], notice, team) : [];
	const rows = [...told, ...linkRows('Links', actions)];
	return {
		id,
		receivedAt,
		language: defaultLanguage,
		subject: `${service.name}: ${about}`,
		rows,
		actions,
		text: textOf(rows),
		event: {
			type: isTrouble ? 'channel.failing' : 'number' in notice ? 'leads.quarantined' : 'leads.silent',
			data: { ...notice },
		},
	};
}

function aboutChannel({ channel, reason, parked }: Trouble, receivedAt: string, { timeZone }: Team) {
	const advice = parked
		? 'Leads wait for this channel and are not tried again by themselves. Mend its settings, then run: npm run leads -- retry --parked'
		: 'Leads wait for this channel and are tried again by themselves. If it does not come back, check its settings.';
	return {
		about: `leads do not reach ${channel}`,
		rows: [
			{ name: 'channel', label: 'Channel', value: channel },
			{ name: 'reason', label: 'Reason', value: reason },
			{ name: 'advice', label: 'What to do', value: advice },
			{ name: 'received', label: 'Since', value: localTime(receivedAt, timeZone) },
		],
	};
}

function aboutSilence({ lastLead, longestPause, receivedAt }: Silence & { receivedAt: string }, { timeZone }: Team) {
	const since = Math.floor((Date.parse(receivedAt) - Date.parse(lastLead)) / 86_400_000);
	const advice = [
		'Send a lead by the contact page yourself, and see whether it arrives.',
		`If not: npm run doctor -- ${origin}`,
		'If it does, there was no lead. LEAD_SILENCE=off turns this notice off.',
	];
	return {
		about: `no lead for ${since} days`,
		rows: [
			{ name: 'last', label: 'Last lead', value: localTime(lastLead, timeZone) },
			{ name: 'pause', label: 'Longest pause before', value: roughTime(Math.max(1, Math.round(longestPause / 1000))) },
			{ name: 'advice', label: 'What to do', value: advice.join('\n') },
		],
	};
}

/** Mail names the possible leads with their reasons, chat has only their number. */
function aboutQuarantine({ number, receivedAt }: PossibleLeads & { receivedAt: string }, held: StoredContent[], team: Team) {
	const leads = held.map(({ id, payload, spam }, index): Row => {
		const { name, clinic, email } = (JSON.parse(payload) as ReceivedLead).lead;
		const links = linksTo(['not-spam', 'spam'], { id, receivedAt }, team);
		const ways = links.length > 0 ? links.map(linkText) : [`npm run leads -- release ${shortId(id)}`];
		const value = [name, clinic, email, ...(spam ? reasonsIn(team.language, spam) : []), ...ways];
		const label = `Possible lead ${index + 1}`;
		return { name: `lead-${index + 1}`, label, value: value.filter(Boolean).join('\n'), links, inChat: false };
	});
	return {
		about: `${number === 1 ? '1 possible lead was' : `${number} possible leads were`} taken for spam`,
		rows: [
			{ name: 'number', label: 'Number', value: String(number) },
			{ name: 'reason', label: 'Reason', value: 'They look like spam, and may be none. Each has its own reasons.' },
			{
				name: 'advice',
				label: 'What to do',
				value: team.links
					? 'Open the first link of each that is real, and press the button: it is delivered.'
					: 'Look at them with: npm run leads -- list --state quarantined --long\nDeliver each that is real with the command release.',
			},
			...leads,
		],
	};
}

/**
 * Returns the entry of a message that the service itself sends.
 *
 * @param content has its time if that is not now
 * @param once the store saves nothing else under this key during its lifetime
 */
export function ownEntry(
	kind: 'notice' | 'confirmation',
	content: Trouble | PossibleLeads | Silence | Omit<Confirmation, 'id'>,
	channels: string[],
	once: Once,
): NewEntry {
	const payload = { id: randomUUID(), receivedAt: new Date().toISOString(), ...content };
	const receivedAt = Date.parse(payload.receivedAt);
	return { id: payload.id, kind, receivedAt, email: null, source: null, payload: JSON.stringify(payload), channels, once };
}
