import type { StoredDelivery } from '../store/store.ts';
import { table } from './table.ts';
import { dateTime, isoTime } from './times.ts';

/** As for a whole entry. */
export const deliveryState = ({ state }: StoredDelivery) => (state === 'sent' ? 'delivered' : state);

/** Of one entry. */
export function deliveriesTable(deliveries: StoredDelivery[]): string {
	const rows = deliveries.map((delivery) => {
		const { channel, tries, dueAt, sentAt, lastError } = delivery;
		const time = sentAt ?? dueAt;
		return [channel, deliveryState(delivery), String(tries), time === null ? '' : dateTime(time), lastError ?? ''];
	});
	return table(['Channel', 'State', 'Tries', 'Delivered or next try', 'Last error'], rows);
}

/** For programs. */
export const deliveryData = (delivery: StoredDelivery) => ({
	channel: delivery.channel,
	state: deliveryState(delivery),
	tries: delivery.tries,
	nextTry: isoTime(delivery.dueAt),
	deliveredAt: isoTime(delivery.sentAt),
	lastError: delivery.lastError,
});
