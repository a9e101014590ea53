import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Channel, type Delivery, failureOf } from './channels/channel.ts';
import { entryMessage } from './entry.ts';
import type { Incidents } from './incidents.ts';
import { nudged, type Nudged } from './nudged.ts';
import { nextTry, type RetrySchedule } from './retry-schedule.ts';
import type { ClaimedDelivery, DeliveryResult, LeadStore } from './store/store.ts';

export interface OutboxOptions {
	store: LeadStore;
	channels: Channel[];
	schedule: RetrySchedule;
	incidents: Incidents;
	log: Logger;
	/** Called when a channel has a lead. */
	delivered: () => void;
}

export interface Outbox extends Pick<Nudged, 'nudge' | 'stop'> {
	/** Resolves when what is due now, as far as there was room for it, has been tried once. */
	tried(): Promise<void>;
}

/** How many tries a channel may have in flight. */
const CONCURRENCY = 8;
/** In milliseconds. A try ends well before its lease, so that nobody else takes it up meanwhile. */
const TRY_TIMEOUT = 30_000;
const LEASE = 60_000;
/** In milliseconds: how long a try may still go on when the outbox stops. */
const PARTING = 8000;
/** In milliseconds. Another instance may leave something behind: look this often at least. */
const SWEEP = 15_000;
/** In milliseconds: between two looks at what another instance is just claiming. */
const BREATH = 50;
/** In milliseconds: how long to leave a store alone that has failed. */
const STORE_PAUSE = 1000;

/**
 * Brings what the store holds to the channels, until each has it or has refused it for good. Each channel has a lane: a slow one
 * holds up no other. A nudge looks for what is due; to stop is to take up nothing more, let the tries in flight end, and give
 * back what is claimed.
 */
export function startOutbox(options: OutboxOptions): Outbox {
	const owner = randomUUID();
	const lanes = options.channels.map((channel) => startLane(channel, { ...options, owner, nudgeAll }));
	return {
		nudge: nudgeAll,
		async tried() {
			await Promise.all(lanes.map((lane) => lane.tried()));
		},
		async stop() {
			await Promise.all(lanes.map((lane) => lane.stop()));
			await options.store.endLeases(owner);
		},
	};

	function nudgeAll(): void {
		for (const lane of lanes) lane.nudge();
	}
}

interface LaneOptions extends OutboxOptions {
	owner: string;
	nudgeAll: () => void;
}

function startLane(channel: Channel, options: LaneOptions): Outbox {
	const { store, owner, schedule, incidents, log } = options;
	const inFlight = new Set<Promise<void>>();
	const stopping = new AbortController();
	const ending = new AbortController();
	let timer: NodeJS.Timeout | undefined;

	const { nudge, idle, stop } = nudged(async () => {
		clearTimeout(timer);
		const pause = await look();
		if (!stopping.signal.aborted) timer = setTimeout(nudge, pause).unref();
	});
	nudge();
	return {
		nudge,
		async tried() {
			nudge();
			await idle();
			await Promise.all(inFlight);
		},
		async stop() {
			stopping.abort();
			clearTimeout(timer);
			const lastCall = setTimeout(() => ending.abort(), PARTING);
			await stop();
			await Promise.all(inFlight);
			clearTimeout(lastCall);
		},
	};

	/** Starts as many tries as there is room for. @returns when to look again, in milliseconds from now */
	async function look(): Promise<number> {
		const limit = CONCURRENCY - inFlight.size;
		if (limit === 0) return SWEEP;
		try {
			const now = Date.now();
			const claimed = await store.claim({ channels: [channel.name], owner, limit, now, leaseUntil: now + LEASE });
			for (const delivery of claimed) start(delivery);
			if (claimed.length === limit) return SWEEP;
			const due = await store.nextDue([channel.name]);
			return Math.min(SWEEP, Math.max(BREATH, (due ?? Infinity) - Date.now()));
		} catch (error) {
			log.error({ err: error, channel: channel.name }, 'The store cannot say what is due. Looking again.');
			return STORE_PAUSE;
		}
	}

	function start(delivery: ClaimedDelivery): void {
		const trying = attempt(delivery)
			.catch((error: unknown) =>
				log.error({ err: error, channel: channel.name }, 'The store cannot note that a channel is in trouble, or no longer.'),
			)
			.finally(() => {
				inFlight.delete(trying);
				nudge();
			});
		inFlight.add(trying);
	}

	async function attempt(claimed: ClaimedDelivery): Promise<void> {
		const delivery = await deliver(claimed);
		// We cut it off ourselves: no failure of the channel. The lease is given back, and whoever claims it next tries again.
		if (!delivery.ok && ending.signal.aborted) return;
		const result = resultOf(delivery, claimed.tries + 1);
		await mark(claimed, result);
		if (delivery.ok && delivery.note)
			log.warn({ [claimed.kind]: claimed.id, channel: channel.name, note: delivery.note }, 'A note on a delivery.');
		if (result.state === 'sent') {
			options.delivered();
			await incidents.worked(channel.name);
		} else if (await incidents.failed(channel.name, { ...result, tries: claimed.tries + 1 })) options.nudgeAll();
	}

	async function deliver(claimed: ClaimedDelivery): Promise<Delivery> {
		const signal = AbortSignal.any([AbortSignal.timeout(TRY_TIMEOUT), ending.signal]);
		try {
			return await channel.send(entryMessage(claimed), signal);
		} catch (error) {
			// What no message can be made of is a failure too: it ends up parked, and is not tried for ever.
			return failureOf(error, signal);
		}
	}

	function resultOf(delivery: Delivery, tries: number): DeliveryResult {
		const now = Date.now();
		if (delivery.ok) return { state: 'sent', at: now };
		const { permanent, reason, retryAfter } = delivery;
		const dueAt = permanent ? undefined : nextTry(schedule, tries, now, retryAfter);
		return dueAt === undefined ? { state: 'parked', reason } : { state: 'waiting', dueAt, reason };
	}

	/** What is not marked is tried again when the lease ends, so the store is given until then to come back. */
	async function mark(delivery: ClaimedDelivery, result: DeliveryResult): Promise<void> {
		const until = Date.now() + LEASE - TRY_TIMEOUT;
		do {
			try {
				await store.mark(delivery, result);
				return report(delivery, result);
			} catch (error) {
				log.error({ err: error, lead: delivery.id, channel: channel.name }, 'The store cannot note what became of a delivery.');
			}
			await wait(STORE_PAUSE, undefined, { signal: stopping.signal }).catch(() => {});
		} while (Date.now() < until && !stopping.signal.aborted);
	}

	function report({ id, kind, tries }: ClaimedDelivery, result: DeliveryResult): void {
		const about = { [kind]: id, channel: channel.name, tries: tries + 1 };
		if (result.state === 'sent') return log.info(about, 'Delivered.');
		const { reason } = result;
		if (result.state === 'parked')
			return log.error({ ...about, reason }, 'Not delivered, and parked: retry it when the reason is gone.');
		log.warn({ ...about, reason, nextTry: new Date(result.dueAt).toISOString() }, 'Not delivered yet.');
	}
}
