import { defaultLanguage, service } from '../../facts/load.ts';
import type { Message } from './message.ts';
import { textOf } from './row.ts';
import type { NewEntry, Once } from '../store/store.ts';

/** News of a channel in trouble, for the team that waits for its leads: nothing of a lead is in it. */
export interface Notice {
	/** UUID. */
	id: string;
	/** ISO 8601, UTC. */
	receivedAt: string;
	/** The channel's name. */
	channel: string;
	/** Why the last try failed. */
	reason: string;
	/** Whether it will be tried again by itself. */
	parked: boolean;
}

/** The notice as the other channels tell it. */
export function noticeMessage(notice: Notice): Message {
	const { id, receivedAt, channel, reason, parked } = notice;
	const rows = [
		{ name: 'channel', label: 'Channel', value: channel },
		{ name: 'reason', label: 'Reason', value: reason },
		{
			name: 'advice',
			label: 'What to do',
			value: parked
				? 'Leads wait for this channel and are not tried again by themselves. Mend its settings, then run: npm run leads -- retry --parked'
				: 'Leads wait for this channel and are tried again by themselves. If it does not come back, check its settings.',
		},
		{ name: 'received', label: 'Since', value: receivedAt },
	];
	return {
		id,
		receivedAt,
		language: defaultLanguage,
		subject: `${service.name}: leads do not reach ${channel}`,
		rows,
		text: textOf(rows),
		event: { type: 'channel.failing', data: { ...notice } },
	};
}

/**
 * What we tell by ourselves, as it is stored.
 *
 * @param once nothing else is saved under this key until its lifetime, in milliseconds, is over
 */
export function ownEntry(
	content: Pick<Notice, 'id' | 'receivedAt'>,
	channels: string[],
	{ key, lifetime }: Pick<Once, 'key' | 'lifetime'>,
): NewEntry {
	const { id, receivedAt } = content;
	return {
		id,
		kind: 'notice',
		receivedAt: Date.parse(receivedAt),
		email: null,
		source: null,
		payload: JSON.stringify(content),
		channels,
		once: { key, fingerprint: key, lifetime },
	};
}
