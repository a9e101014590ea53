import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { uuidv7 } from 'uuidv7';
import type { Logger } from 'pino';
import { type Channel, sendWithin } from '../channels/channel.ts';
import { deliveryTried } from '../events.ts';
import { type Intake, refuseUnconfigured } from './intake.ts';
import { type Circumstances, type Message, messageOf, type ReceivedLead, receivedNow } from '../message/message.ts';
import type { Judgement } from '../spam/judgement.ts';
import { onceFor } from './once.ts';

/** In milliseconds: much less than visitors, browsers and proxies wait. */
const DELIVERY_TIMEOUT = 10_000;

/**
 * `LEAD_STORE=none`: delivers within the request, to all channels at the same time. A lead is taken when at least one channel has
 * it. Only this process remembers earlier leads, and of a honeypot hit only the log says that it came.
 *
 * @param team how the sales team reads messages
 * @param judge judges a lead before it is delivered; undefined: nobody does
 */
export function deliveringIntake(
	channels: Channel[],
	secret: KeyObject,
	log: Logger,
	team: Pick<Circumstances, 'language' | 'timeZone'>,
	judge?: (received: ReceivedLead) => Promise<Judgement>,
): Intake {
	const earlier = new LRUCache<string, Sent>({ max: 10_000 });

	return {
		async take(lead, sending) {
			if (channels.length === 0) return refuseUnconfigured(log);
			const { key, fingerprint, lifetime } = onceFor(secret, lead, sending);
			const before = earlier.get(key);
			if (before) {
				if (before.fingerprint !== fingerprint) return 'idempotency-key-reused';
				return (await before.delivered) ? 'accepted' : 'unavailable';
			}
			const delivering = deliver(receivedNow(lead, sending));
			earlier.set(key, { fingerprint, delivered: delivering }, { ttl: lifetime });
			let delivered = false;
			try {
				delivered = await delivering;
			} finally {
				// Also after an exception: it would answer each copy.
				if (!delivered) earlier.delete(key);
			}
			return delivered ? 'accepted' : 'unavailable';
		},
		async quarantine() {
			log.warn({ lead: uuidv7() }, 'A submission filled the honeypot. Without a store it is not kept.');
			return true;
		},
	};

	async function deliver(received: ReceivedLead): Promise<boolean> {
		const start = performance.now();
		const spam = await judge?.(received);
		const message = messageOf(received, { kept: false, ...team, spam });
		const timeout = DELIVERY_TIMEOUT - (performance.now() - start);
		const deliveries = await Promise.all(channels.map((channel) => deliverTo(channel, message, timeout)));
		return deliveries.includes(true);
	}

	async function deliverTo(channel: Channel, message: Message, timeout: number): Promise<boolean> {
		const sent = await sendWithin(timeout, channel, message);
		deliveryTried.publish({ channel: channel.name, outcome: sent.ok ? 'sent' : 'failed' });
		const about = { lead: message.id, channel: channel.name };
		if (sent.ok) log.info({ ...about, note: sent.note }, 'Delivered.');
		else log.error({ ...about, reason: sent.reason }, 'Not delivered.');
		// One of several recipients is enough: if the visitor sent it again, those who have it would get it twice.
		return sent.ok || sent.partial === true;
	}
}

interface Sent {
	fingerprint: string;
	delivered: Promise<boolean>;
}
