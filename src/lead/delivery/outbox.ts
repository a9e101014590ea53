import { randomUUID } from 'node:crypto';
import type { Channel } from '../channels/channel.ts';
import type { ClaimedDelivery } from '../store/store.ts';
import { attempt, type AttemptOptions, LEASE, STORE_PAUSE } from './attempt.ts';
import { backgroundWork } from './background-work.ts';

export interface OutboxOptions extends Omit<LaneOptions, 'channel' | 'owner' | 'nudgeAll'> {
	channels: Channel[];
}

/**
 * Brings what the store holds to the channels, until each has it or has refused it for good. Each channel has a lane of its own, so that
 * a slow one holds up no other; the outbox is what all lanes do together.
 */
export function startOutbox({ channels, ...options }: OutboxOptions): Lane {
	const owner = randomUUID();
	const lanes = channels.map((channel) => startLane({ ...options, channel, owner, nudgeAll }));
	return {
		nudge: nudgeAll,
		async tryDue() {
			await Promise.all(lanes.map((lane) => lane.tryDue()));
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

/** One channel's part of the outbox: claims what is due over the channel, and tries some of it side by side. */
interface Lane {
	/** Looks for what is due. */
	nudge(): void;
	/** Looks for what is due, and resolves when all of it that there was room for has been tried once. */
	tryDue(): Promise<void>;
	/** Takes up nothing more, and lets the tries in flight end; cuts off those that go on for longer than {@link STOP_GRACE}. */
	stop(): Promise<void>;
}

type LaneOptions = Omit<AttemptOptions, 'stopping' | 'cutOff'>;

/** How many tries a channel may have in flight. */
const CONCURRENCY = 8;
/** In milliseconds: how long tries may go on when the process stops. */
export const STOP_GRACE = 8000;
/** In milliseconds. Another instance may leave something behind: look this often at least. */
const LONGEST_PAUSE = 15_000;
/** In milliseconds. What is due and could not be claimed is just being claimed by another instance: no need to look more often. */
const SHORTEST_PAUSE = 50;

function startLane(options: LaneOptions): Lane {
	const { channel, store, owner, log } = options;
	/** By the id of the entry. */
	const inFlight = new Map<string, Promise<void>>();
	const stopping = new AbortController();
	const cutOff = new AbortController();
	let timer: NodeJS.Timeout | undefined;

	const { nudge, idle, stop } = backgroundWork(async () => {
		clearTimeout(timer);
		const pause = await look();
		if (!stopping.signal.aborted) timer = setTimeout(nudge, pause).unref();
	});
	nudge();
	return {
		nudge,
		async tryDue() {
			nudge();
			await idle();
			await Promise.all(inFlight.values());
		},
		async stop() {
			stopping.abort();
			clearTimeout(timer);
			const lastCall = setTimeout(() => cutOff.abort(), STOP_GRACE);
			await stop();
			await Promise.all(inFlight.values());
			clearTimeout(lastCall);
		},
	};

	/** Starts as many tries as there is room for. @returns when to look again, in milliseconds from now */
	async function look(): Promise<number> {
		const limit = CONCURRENCY - inFlight.size;
		// A try that ends nudges, and so makes room.
		if (limit === 0) return LONGEST_PAUSE;
		try {
			const inHand = [...inFlight.keys()];
			const claimed = await store.claim({ channel: channel.name, owner, limit, lease: LEASE, inHand });
			for (const delivery of claimed) start(delivery);
			if (claimed.length === limit) return LONGEST_PAUSE;
			const wait = await store.untilDue(channel.name, [...inFlight.keys()]);
			return Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, wait ?? Infinity));
		} catch (error) {
			log.error({ err: error, channel: channel.name }, 'The store cannot say what is due. Looking again.');
			return STORE_PAUSE;
		}
	}

	function start(delivery: ClaimedDelivery): void {
		const trying = attempt(delivery, { ...options, stopping: stopping.signal, cutOff: cutOff.signal })
			.catch((error: unknown) =>
				log.error({ err: error, channel: channel.name }, 'The store cannot note that a channel is in trouble, or no longer.'),
			)
			.finally(() => {
				inFlight.delete(delivery.id);
				nudge();
			});
		inFlight.set(delivery.id, trying);
	}
}
