import type { KeyObject } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type Channel, sendWithin } from '../channels/channel.ts';
import { deliveryTried } from '../events.ts';
import { directNotices } from './direct-notices.ts';
import { type Intake, refuseUnconfigured } from './intake.ts';
import type { Lead } from '../lead.ts';
import { type Circumstances, type Message, messageOf, type ReceivedLead, receivedNow } from '../message/message.ts';
import type { Judgement } from '../spam/judgement.ts';
import { onceFor, onceQuarantined } from './once.ts';
import { quarantinedLead } from './quarantine.ts';

/** In milliseconds: much less than visitors, browsers and proxies wait. */
export const DELIVERY_TIMEOUT = 10_000;

export interface DeliveringIntake extends Intake {
	/** Sends the notices that are due, and waits until they are sent. */
	tellDue(): Promise<unknown>;
	/** Sends all remaining notices, and waits until they are sent. */
	stop(): Promise<void>;
}

/**
 * `LEAD_STORE=none`: delivers within the request, to all channels at the same time. A lead is taken when at least one channel has
 * it. Only this process remembers earlier leads, and honeypot hits are not kept.
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
): DeliveringIntake {
	const earlier = new LRUCache<string, Sent>({ max: 10_000 });
	// Apart from `earlier`: a flood of hits must not push out the memory of leads.
	const hits = new LRUCache<string, Promise<void>>({ max: 1000 });
	const noticeChannels = channels.filter(({ leadsOnly }) => !leadsOnly);
	const notices = directNotices((notice) => deliver(notice, DELIVERY_TIMEOUT, noticeChannels), log);
	// How long the last lead was judged, and how long that and its delivery took, in milliseconds.
	let [lastJudging, lastDuration] = [0, 0];

	return {
		async take(lead, sending) {
			if (channels.length === 0) return refuseUnconfigured(log);
			const { key, fingerprint, lifetime } = onceFor(secret, lead, sending);
			const before = earlier.get(key);
			if (before) {
				if (before.fingerprint !== fingerprint) return 'idempotency-key-reused';
				if (sending.idempotencyKey !== undefined && !before.settled) return 'idempotency-key-in-use';
				return (await before.delivered) ? 'accepted' : 'unavailable';
			}
			const sent: Sent = { fingerprint, settled: false, delivered: deliverTimed(receivedNow(lead, sending)) };
			earlier.set(key, sent, { ttl: lifetime });
			const delivered = await sent.delivered;
			sent.settled = true;
			if (!delivered) earlier.delete(key);
			return delivered ? 'accepted' : 'unavailable';
		},
		async quarantine(submission) {
			const kept = quarantinedLead(submission);
			const { key, lifetime } = onceQuarantined(secret, kept);
			const answered = hits.get(key) ?? tellOf(kept);
			hits.set(key, answered, { ttl: lifetime });
			await answered;
		},
		tellDue: notices.tellDue,
		stop: notices.stop,
	};

	/** Takes as long as a lead does: a robot must not notice that its submission is treated differently. */
	async function tellOf(kept: Partial<Lead>): Promise<void> {
		const isSent = noticeChannels.length > 0 && (await notices.add(kept));
		await wait(isSent ? lastJudging : lastDuration);
	}

	async function deliverTimed(received: ReceivedLead): Promise<boolean> {
		const start = performance.now();
		const spam = await judge?.(received);
		lastJudging = performance.now() - start;
		const message = messageOf(received, { kept: false, ...team, spam });
		const delivered = await deliver(message, DELIVERY_TIMEOUT - lastJudging);
		lastDuration = performance.now() - start;
		return delivered;
	}

	async function deliver(message: Message, timeout: number, to = channels): Promise<boolean> {
		const deliveries = await Promise.all(to.map((channel) => deliverTo(channel, message, timeout)));
		return deliveries.includes(true);
	}

	async function deliverTo(channel: Channel, message: Message, timeout: number): Promise<boolean> {
		const sent = await sendWithin(timeout, channel, message);
		deliveryTried.publish({ channel: channel.name, outcome: sent.ok ? 'sent' : 'failed' });
		const about = { [kindOf(message)]: message.id, channel: channel.name };
		if (sent.ok) log.info({ ...about, note: sent.note }, 'Delivered.');
		else log.error({ ...about, reason: sent.reason }, 'Not delivered.');
		// One of several recipients is enough: if the visitor sent it again, those who have it would get it twice.
		return sent.ok || Object.values(sent.recipients ?? {}).includes('taken');
	}
}

interface Sent {
	fingerprint: string;
	settled: boolean;
	delivered: Promise<boolean>;
}

const kindOf = ({ event }: Message) => (event.type === 'lead.received' ? 'lead' : 'notice');
