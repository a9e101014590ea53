import { defaultLanguage, service } from '../facts/load.ts';
import { type Judgement, reasonsIn } from '../lead/judgement.ts';
import type { NewEntry, Once } from '../store/store.ts';
import { localTime, type Message, type ReceivedLead, shortId } from './message.ts';
import { type Row, textOf } from './rows.ts';

/** Tells the sales team that a channel is in trouble. It holds nothing of a lead. */
export interface Notice {
	/** UUID. */
	id: string;
	/** ISO 8601, UTC. */
	receivedAt: string;
	/** The channel's name. */
	channel: string;
	/** Why the last try failed. */
	reason: string;
	/** Whether the channel gave up: `false` while it is tried again without an operator. */
	parked: boolean;
}

/**
 * Tells the sales team of possible leads: there may be clinics among them, since password managers fill the honeypot too. Their names
 * are read from the store when the notice is sent, so that nothing of a person is kept twice.
 */
export interface QuarantineNotice extends Pick<Notice, 'id' | 'receivedAt'> {
	/** The number of possible leads since the last notice, 5,000 at most. */
	number: number;
}

/** In milliseconds: possible leads that come after a notice are in the next one, this much later. */
export const NOTICE_PAUSE = 24 * 3600_000;

/** Facts beside a notice: the leads still in quarantine, and the sales team's language and time zone. */
type Circumstances = {
	held?: (ReceivedLead & { spam?: Judgement | undefined })[];
	language?: string;
	timeZone?: string | undefined;
};

/** Returns a notice as the channels deliver it. Its words are English. */
export function noticeMessage(notice: Notice | QuarantineNotice, circumstances: Circumstances = {}): Message {
	const { id, receivedAt } = notice;
	const { about, rows } = 'channel' in notice ? aboutChannel(notice, circumstances) : aboutQuarantine(notice, circumstances);
	const event: Message['event'] = { type: 'channel' in notice ? 'channel.failing' : 'leads.quarantined', data: { ...notice } };
	const subject = `${service.name}: ${about}`;
	return { id, receivedAt, language: defaultLanguage, subject, rows, text: textOf(rows), event };
}

function aboutChannel({ receivedAt, channel, reason, parked }: Notice, { timeZone }: Circumstances) {
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

const ADVICE =
	'Look at them with: npm run leads -- list --state quarantined --long\nDeliver each that is real with the command release.';

/** Mail names the possible leads with their reasons, chat has only their number. */
function aboutQuarantine({ number }: QuarantineNotice, { held = [], language = defaultLanguage }: Circumstances) {
	const leads = held.map(({ id, lead, spam }, index): Row => {
		const { name, clinic, email } = lead;
		const value = [name, clinic, email, ...(spam ? reasonsIn(language, spam) : []), `npm run leads -- release ${shortId(id)}`];
		return {
			name: `lead-${index + 1}`,
			label: `Possible lead ${index + 1}`,
			value: value.filter(Boolean).join('\n'),
			inChat: false,
		};
	});
	return {
		about: `${number === 1 ? '1 possible lead was' : `${number} possible leads were`} taken for spam`,
		rows: [
			{ name: 'number', label: 'Number', value: String(number) },
			{ name: 'reason', label: 'Reason', value: 'They look like spam, and may be none. Each has its own reasons.' },
			{ name: 'advice', label: 'What to do', value: ADVICE },
			...leads,
		],
	};
}

/**
 * Returns the stored entry of a message that the service itself sends.
 *
 * @param once the store saves nothing else under this key during its lifetime, which is in milliseconds
 */
export const ownEntry = (
	content: Pick<Notice, 'id' | 'receivedAt'>,
	channels: string[],
	{ key, lifetime }: Pick<Once, 'key' | 'lifetime'>,
): NewEntry => ({
	id: content.id,
	kind: 'notice',
	receivedAt: Date.parse(content.receivedAt),
	email: null,
	source: null,
	payload: JSON.stringify(content),
	channels,
	once: { key, fingerprint: key, lifetime },
});
