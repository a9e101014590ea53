import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Channel } from './channels/channel.ts';
import type { Intake } from './intake.ts';
import { type Message, messageOf, receivedNow } from './message.ts';
import { onceFor } from './once.ts';

/** In milliseconds: well under what a visitor, a browser or a proxy waits. */
const DELIVERY_TIMEOUT = 10_000;

/**
 * `LEAD_STORE=none`: delivers within the request, to all channels side by side; a lead is taken when at least one has it.
 * What was sent before is remembered in this process only, and a submission that filled the honeypot is not kept.
 */
export function directIntake(channels: Channel[], secret: Buffer, log: Logger): Intake {
	const earlier = new LRUCache<string, Sent>({ max: 10_000 });

	return {
		async take(lead, idempotencyKey) {
			if (channels.length === 0) return unconfigured(log);
			const { key, fingerprint, expiresAt } = onceFor(secret, lead, idempotencyKey, Date.now());
			const before = earlier.get(key);
			if (before) {
				if (before.fingerprint !== fingerprint) return 'conflict';
				if (idempotencyKey !== undefined && !before.settled) return 'in-flight';
				return (await before.delivered) ? 'taken' : 'unavailable';
			}
			const sent: Sent = { fingerprint, settled: false, delivered: deliver(messageOf(receivedNow(lead))) };
			earlier.set(key, sent, { ttl: expiresAt - Date.now() });
			const delivered = await sent.delivered;
			sent.settled = true;
			if (!delivered) earlier.delete(key);
			return delivered ? 'taken' : 'unavailable';
		},
		quarantine: () => {
			log.warn('A submission filled the honeypot. Without a store it is not kept.');
			return Promise.resolve();
		},
	};

	async function deliver(message: Message): Promise<boolean> {
		const deliveries = await Promise.all(channels.map((channel) => deliverTo(channel, message)));
		return deliveries.includes(true);
	}

	async function deliverTo(channel: Channel, message: Message): Promise<boolean> {
		const delivery = await channel.send(message, AbortSignal.timeout(DELIVERY_TIMEOUT));
		const about = { lead: message.id, channel: channel.name };
		if (delivery.ok) log.info({ ...about, note: delivery.note }, 'Delivered.');
		else log.error({ ...about, reason: delivery.reason }, 'Not delivered.');
		return delivery.ok;
	}
}

interface Sent {
	fingerprint: string;
	settled: boolean;
	delivered: Promise<boolean>;
}

/** What a deployment without channels says of each lead. */
export function unconfigured(log: Logger): 'unavailable' {
	log.error('A lead was refused: no delivery is configured. Set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.');
	return 'unavailable';
}
