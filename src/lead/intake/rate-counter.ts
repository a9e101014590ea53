import { LRUCache } from 'lru-cache';

/** The number of requests, and when its window ends, in milliseconds since 1970. */
export interface Count {
	requests: number;
	endsAt: number;
}

/** Counts requests by client. Each client has its own window. */
export interface RateCounter {
	/** Returns a client's count without this request, or undefined if no window of this client runs. */
	read(client: string): Promise<Count | undefined>;
	/** Counts one request. The first one starts a window of `window` seconds. */
	add(client: string, window: number): Promise<Count>;
}

/**
 * The most clients that a process remembers. Beyond that it forgets the client whose window began first. To be forgotten, a client
 * must imitate this many others, whose own limits allow more than that gains.
 */
const MOST = 50_000;
/** The most clients forgotten in one step: that takes a fraction of a millisecond. */
const AT_ONCE = 1000;

/** A count with the length of its window, in milliseconds. */
type Window = Count & { length: number };

/** With more time left than its length, a window began before the clock was set back: it counts as ended. */
function isRunning({ endsAt, length }: Window): boolean {
	const left = endsAt - Date.now();
	return left > 0 && left <= length;
}

/** Counts in this process. Forgets clients in the order in which their windows began. */
export function memoryCounter(): RateCounter {
	// Only `peek` reads it, so that the oldest entry is always the one whose window began first.
	let counts: LRUCache<string, Window> | undefined;
	let timer: NodeJS.Timeout | undefined;

	const running = (client: string) => {
		const count = counts?.peek(client);
		return count && isRunning(count) ? count : undefined;
	};

	function start(client: string, window: number): Window {
		// Created for the first client, because it takes two megabytes from the start.
		counts ??= new LRUCache({ max: MOST });
		const length = window * 1000;
		const count = { requests: 0, endsAt: Date.now() + length, length };
		counts.set(client, count);
		timer ??= forgetAt(count.endsAt, counts);
		return count;
	}

	function forgetAt(time: number, counts: LRUCache<string, Window>): NodeJS.Timeout {
		const timer = setTimeout(forget, Math.max(time - Date.now(), 1), counts);
		// Not every host has `unref`.
		timer.unref?.();
		return timer;
	}

	function forget(counts: LRUCache<string, Window>): void {
		let [oldest] = counts.rvalues();
		for (let forgotten = 0; oldest && !isRunning(oldest) && forgotten < AT_ONCE; forgotten += 1) {
			counts.pop();
			[oldest] = counts.rvalues();
		}
		timer = oldest && forgetAt(oldest.endsAt, counts);
	}

	return {
		read: (client) => Promise.resolve(running(client)),
		add(client, window) {
			const count = running(client) ?? start(client, window);
			count.requests += 1;
			return Promise.resolve({ ...count });
		},
	};
}
