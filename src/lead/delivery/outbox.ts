import { randomUUID } from 'node:crypto';
import type { Channel } from '../channels/channel.ts';
import type { ClaimedDelivery } from '../store/store.ts';
import { LEASE, STORE_PAUSE, tryDelivery, type TryOptions } from './try-delivery.ts';
import { backgroundWork } from '../background-work.ts';

export interface OutboxOptions extends Omit<LaneOptions, 'channel' | 'owner' | 'nudgeAll'> {
	channels: Channel[];
}

/**
 * Delivers the store's entries to the channels, until each channel has them or refuses them for good. Each channel has its own
 * lane, so that a slow channel delays no other. The outbox is all lanes together.
 */
export function startOutbox({ channels, ...options }: OutboxOptions): Outbox {
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

/** Delivers due entries: to one channel, or to all. */
interface Outbox {
	/** Looks for due deliveries. */
	nudge(): void;
	/** Looks for due deliveries, and resolves when each that there was room for was tried once. */
	tryDue(): Promise<void>;
	/** Starts no new tries, and lets those in flight end. Cuts off those that take longer than `stopGrace`. */
	stop(): Promise<void>;
}

interface LaneOptions extends Omit<TryOptions, 'stopping' | 'cutOff'> {
	/** In milliseconds: how long tries may continue when the process stops. */
	stopGrace: number;
}

/** The most tries that a channel may have in flight. */
const CONCURRENCY = 8;
/** In milliseconds: the longest pause between two looks, because another instance may leave a delivery behind. */
const LONGEST_PAUSE = 15_000;
/** In milliseconds: the shortest pause. A due delivery that was not claimed is being claimed by another instance. */
const SHORTEST_PAUSE = 50;

/** Starts one channel's part of the outbox: claims the channel's due deliveries, and tries several at the same time. */
function startLane(options: LaneOptions): Outbox {
	const { channel, store, owner, log } = options;
	/** By the id of the entry. */
	const inFlight = new Map<string, { tries: number; end: Promise<void> }>();
	const ends = () => Promise.all([...inFlight.values()].map(({ end }) => end));
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
			await ends();
		},
		async stop() {
			stopping.abort();
			clearTimeout(timer);
			const lastCall = setTimeout(() => cutOff.abort(), options.stopGrace);
			await stop();
			await ends();
			clearTimeout(lastCall);
		},
	};

	/** Starts as many tries as there is room for. @returns when to look again, in milliseconds from now */
	async function look(): Promise<number> {
		const limit = CONCURRENCY - inFlight.size;
		// The end of a try nudges, and so makes room.
		if (limit === 0) return LONGEST_PAUSE;
		try {
			const claimed = await store.claim({ channel: channel.name, owner, limit, lease: LEASE });
			for (const delivery of claimed) {
				const earlier = inFlight.get(delivery.id);
				if (!earlier) start(delivery);
				// Its result is stored, and it is due again. Otherwise the lease of the try has ended, and the try goes on.
				else if (delivery.tries > earlier.tries) void earlier.end.then(() => start(delivery));
			}
			if (claimed.length === limit) return LONGEST_PAUSE;
			const wait = await store.untilDue(channel.name);
			return Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, wait ?? Infinity));
		} catch (error) {
			log.error({ err: error, channel: channel.name }, 'The store cannot say which deliveries are due. Asking again.');
			return STORE_PAUSE;
		}
	}

	function start(delivery: ClaimedDelivery): void {
		const end = tryDelivery(delivery, { ...options, stopping: stopping.signal, cutOff: cutOff.signal })
			.catch((error: unknown) =>
				log.error({ err: error, channel: channel.name }, 'The store cannot save that a channel fails or works again.'),
			)
			.finally(() => {
				inFlight.delete(delivery.id);
				nudge();
			});
		inFlight.set(delivery.id, { tries: delivery.tries, end });
	}
}
