import type { Logger } from 'pino';
import type { Channel } from './channels/channel.ts';
import type { Message } from './message.ts';

/** Hands a message to every channel side by side; true when at least one took it. */
export type Deliver = (message: Message) => Promise<boolean>;

/** In milliseconds: well under what a visitor, a browser or a proxy waits. */
const DELIVERY_TIMEOUT = 10_000;

export function deliverTo(channels: Channel[], log: Logger): Deliver {
	return async (message) => {
		if (channels.length === 0) {
			log.error({ lead: message.id }, 'No delivery is configured: set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.');
			return false;
		}
		const deliveries = await Promise.all(
			channels.map(async (channel) => {
				const delivery = await channel.send(message, AbortSignal.timeout(DELIVERY_TIMEOUT));
				if (delivery.ok) log.info({ lead: message.id, channel: channel.name }, 'Lead delivered.');
				else log.error({ lead: message.id, channel: channel.name, reason: delivery.reason }, 'Lead not delivered.');
				return delivery.ok;
			}),
		);
		return deliveries.includes(true);
	};
}
