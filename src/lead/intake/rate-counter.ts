import { LRUCache } from 'lru-cache';

/** How many requests were counted, and until when, in milliseconds since 1970. */
export interface Count {
	requests: number;
	endsAt: number;
}

/** Counts requests by client, each client in a window of its own. */
export interface RateCounter {
	/** The count of a client, without this request; undefined: no window of it runs. */
	read(client: string): Promise<Count | undefined>;
	/** Counts one request, in a window of so many seconds that begins with the first. */
	add(client: string, window: number): Promise<Count>;
}

/**
 * How many clients a process remembers. Of more the one is forgotten whose window began first. Who wants to be forgotten so has to be as
 * many clients meanwhile, and those may send more than is won by it.
 */
const MOST = 50_000;
/** How many are forgotten at once: in a fraction of a millisecond. */
const AT_ONCE = 1000;

/** Counts in this process, and forgets each client at the end of its window, or of a longer one that began before. */
export function memoryCounter(): RateCounter {
	// It is only peeked into, so that the oldest entry is the one whose window began first.
	let counts: LRUCache<string, Count> | undefined;
	let timer: NodeJS.Timeout | undefined;

	const running = (client: string) => {
		const count = counts?.peek(client);
		return count && count.endsAt > Date.now() ? count : undefined;
	};

	function start(client: string, window: number): Count {
		// Made for the first client: it takes two megabytes from the start.
		counts ??= new LRUCache({ max: MOST });
		const count = { requests: 0, endsAt: Date.now() + window * 1000 };
		counts.set(client, count);
		timer ??= forgetAt(count.endsAt, counts);
		return count;
	}

	function forgetAt(time: number, counts: LRUCache<string, Count>): NodeJS.Timeout {
		const timer = setTimeout(forget, Math.max(time - Date.now(), 1), counts);
		// Not every host has it.
		timer.unref?.();
		return timer;
	}

	function forget(counts: LRUCache<string, Count>): void {
		let [oldest] = counts.rvalues();
		for (let forgotten = 0; oldest && oldest.endsAt <= Date.now() && forgotten < AT_ONCE; forgotten += 1) {
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
