import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Channel, type Delivery, failureOf } from '../channels/channel.ts';
import { entryMessage } from './entry-message.ts';
import type { Incidents } from './incidents.ts';
import { nudged, type Nudged } from './nudged.ts';
import { type RetrySchedule, waitAfter } from './retry-schedule.ts';
import type { ClaimedDelivery, DeliveryResult, DeliveryState, LeadStore } from '../store/store.ts';

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
export const PARTING = 8000;
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
	/** By the id of the entry. */
	const inFlight = new Map<string, Promise<void>>();
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
			await Promise.all(inFlight.values());
		},
		async stop() {
			stopping.abort();
			clearTimeout(timer);
			const lastCall = setTimeout(() => ending.abort(), PARTING);
			await stop();
			await Promise.all(inFlight.values());
			clearTimeout(lastCall);
		},
	};

	/** Starts as many tries as there is room for. @returns when to look again, in milliseconds from now */
	async function look(): Promise<number> {
		const limit = CONCURRENCY - inFlight.size;
		if (limit === 0) return SWEEP;
		try {
			const inHand = [...inFlight.keys()];
			const claimed = await store.claim({ channel: channel.name, owner, limit, lease: LEASE, inHand });
			for (const delivery of claimed) start(delivery);
			if (claimed.length === limit) return SWEEP;
			const wait = await store.untilDue(channel.name, [...inFlight.keys()]);
			return Math.min(SWEEP, Math.max(BREATH, wait ?? Infinity));
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
				inFlight.delete(delivery.id);
				nudge();
			});
		inFlight.set(delivery.id, trying);
	}

	async function attempt(claimed: ClaimedDelivery): Promise<void> {
		const delivery = await deliver(claimed);
		// We cut it off ourselves: no failure of the channel. The lease is given back, and whoever claims it next tries again.
		if (!delivery.ok && ending.signal.aborted) return;
		const tries = claimed.tries + 1;
		const result = resultOf(delivery, tries);
		const state = await mark(claimed, result);
		if (delivery.ok && delivery.note)
			log.warn({ [claimed.kind]: claimed.id, channel: channel.name, note: delivery.note }, 'A note on a delivery.');
		if (result.state === 'sent') {
			options.delivered();
			await incidents.worked(channel.name);
		} else if (state && (await incidents.failed(channel.name, { parked: state === 'parked', tries, reason: result.reason })))
			options.nudgeAll();
	}

	async function deliver(claimed: ClaimedDelivery): Promise<Delivery> {
		const signal = AbortSignal.any([AbortSignal.timeout(TRY_TIMEOUT), ending.signal]);
		try {
			return await channel.send(await entryMessage(claimed, store), signal);
		} catch (error) {
			// What no message can be made of is a failure too: it ends up parked, and is not tried for ever.
			return failureOf(error, signal);
		}
	}

	function resultOf(delivery: Delivery, tries: number): DeliveryResult {
		if (delivery.ok) return { state: 'sent' };
		const { permanent, reason, retryAfter } = delivery;
		const wait = permanent ? undefined : waitAfter(schedule, tries, retryAfter);
		return wait === undefined ? { state: 'parked', reason } : { state: 'waiting', wait, reason };
	}

	/**
	 * What is not marked is tried again when the lease ends, so the store is given until then to come back.
	 *
	 * @returns the state that the delivery has now; undefined where the result does not count
	 */
	async function mark(delivery: ClaimedDelivery, result: DeliveryResult): Promise<DeliveryState | undefined> {
		const until = performance.now() + LEASE - TRY_TIMEOUT;
		do {
			try {
				const state = await store.mark({ ...delivery, owner }, result);
				report(delivery, result, state);
				return state;
			} catch (error) {
				log.error({ err: error, lead: delivery.id, channel: channel.name }, 'The store cannot note what became of a delivery.');
			}
			await wait(STORE_PAUSE, undefined, { signal: stopping.signal }).catch(() => {});
		} while (performance.now() < until && !stopping.signal.aborted);
		return undefined;
	}

	function report({ id, kind, tries }: ClaimedDelivery, result: DeliveryResult, state: DeliveryState | undefined): void {
		const about = { [kind]: id, channel: channel.name, tries: tries + 1 };
		if (result.state === 'sent') return log.info(about, 'Delivered.');
		const { reason } = result;
		if (state === undefined) return log.warn({ ...about, reason }, 'Not delivered, and somebody else has it now.');
		if (state === 'parked')
			return log.error({ ...about, reason }, 'Not delivered, and parked: retry it when the reason is gone.');
		if (result.state === 'parked')
			return log.warn({ ...about, reason }, 'Not delivered. It is tried again, as the operator wanted.');
		log.warn({ ...about, reason, nextTry: new Date(Date.now() + result.wait).toISOString() }, 'Not delivered yet.');
	}
}
