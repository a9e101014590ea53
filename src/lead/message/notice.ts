import { defaultLanguage, service } from '../../facts/load.ts';
import { localTime, type Message } from './message.ts';
import type { NewEntry, Once } from '../store/store.ts';
import { textOf } from './field-rows.ts';

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

/** Returns the notice as the other channels deliver it. @param timeZone of the sales team */
export function noticeMessage(notice: Notice, timeZone?: string): Message {
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
		{ name: 'received', label: 'Since', value: localTime(receivedAt, timeZone) },
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
 * Returns the stored entry of a message that the service itself sends.
 *
 * @param once the store saves nothing else under this key during its lifetime, which is in milliseconds
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
