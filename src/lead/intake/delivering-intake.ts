import type { KeyObject } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type Channel, sendWithin } from '../channels/channel.ts';
import { tried } from '../events.ts';
import { directNotices } from './direct-notices.ts';
import { type Intake, unconfigured } from './intake.ts';
import type { Lead } from '../lead.ts';
import { type Message, messageOf, receivedNow } from '../message/message.ts';
import { onceFor, onceQuarantined } from './once.ts';
import { quarantinedLead } from './quarantine.ts';

/** In milliseconds: well under what a visitor, a browser or a proxy waits. */
export const DELIVERY_TIMEOUT = 10_000;

export interface DeliveringIntake extends Intake {
	/** Tells of what is due, and waits for what is being told. */
	told(): Promise<unknown>;
	/** Tells of what is left to tell, and waits for it. */
	stop(): Promise<void>;
}

/**
 * `LEAD_STORE=none`: delivers within the request, to all channels side by side; a lead is taken when at least one has it.
 * What was sent before is remembered in this process only, and a submission that filled the honeypot is not kept.
 *
 * @param language in which the sales team reads of leads
 */
export function deliveringIntake(channels: Channel[], secret: KeyObject, log: Logger, language: string): DeliveringIntake {
	const earlier = new LRUCache<string, Sent>({ max: 10_000 });
	// In a memory of their own: a flood of them must not push out what is remembered of leads.
	const hits = new LRUCache<string, Promise<void>>({ max: 1000 });
	const notices = directNotices(deliver, log);
	// How long the last delivery took, in milliseconds.
	let took = 0;

	return {
		async take(lead, sending) {
			if (channels.length === 0) return unconfigured(log);
			const { key, fingerprint, lifetime } = onceFor(secret, lead, sending);
			const before = earlier.get(key);
			if (before) {
				if (before.fingerprint !== fingerprint) return 'idempotency-key-reused';
				if (sending.idempotencyKey !== undefined && !before.settled) return 'idempotency-key-in-use';
				return (await before.delivered) ? 'accepted' : 'unavailable';
			}
			const message = messageOf(receivedNow(lead, sending), { kept: false, language });
			const sent: Sent = { fingerprint, settled: false, delivered: deliverTimed(message) };
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
		told: notices.told,
		stop: notices.stop,
	};

	/** Takes as long as a lead: a robot must not see that its submission goes elsewhere. */
	async function tellOf(kept: Partial<Lead>): Promise<void> {
		const told = channels.length > 0 && (await notices.add(kept));
		if (!told) await wait(took);
	}

	async function deliverTimed(message: Message): Promise<boolean> {
		const start = performance.now();
		const delivered = await deliver(message);
		took = performance.now() - start;
		return delivered;
	}

	async function deliver(message: Message): Promise<boolean> {
		const deliveries = await Promise.all(channels.map((channel) => deliverTo(channel, message)));
		return deliveries.includes(true);
	}

	async function deliverTo(channel: Channel, message: Message): Promise<boolean> {
		const delivery = await sendWithin(DELIVERY_TIMEOUT, channel, message);
		tried.publish({ channel: channel.name, outcome: delivery.ok ? 'sent' : 'failed' });
		const about = { [kindOf(message)]: message.id, channel: channel.name };
		if (delivery.ok) log.info({ ...about, note: delivery.note }, 'Delivered.');
		else log.error({ ...about, reason: delivery.reason }, 'Not delivered.');
		// One recipient of several is enough: a visitor who sends it again would give it to those twice.
		return delivery.ok || Object.values(delivery.recipients ?? {}).includes('taken');
	}
}

interface Sent {
	fingerprint: string;
	settled: boolean;
	delivered: Promise<boolean>;
}

const kindOf = ({ event }: Message) => (event.type === 'lead.received' ? 'lead' : 'notice');
