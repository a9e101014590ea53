/** Work that nobody waits for: whoever has given it something to do nudges it. One run at a time. */
export interface BackgroundWork {
	/** Runs the work now; during a run, once more after it, however many nudges there were. */
	nudge(): void;
	/** Resolves when no run goes on and none is to follow. */
	idle(): Promise<void>;
	/** Starts no more runs, and waits for the one that goes on. */
	stop(): Promise<void>;
}

/** @param work what a run does. It must not reject */
export function backgroundWork(work: () => Promise<void>): BackgroundWork {
	let wanted = false;
	let stopped = false;
	let running: Promise<void> | undefined;

	return {
		nudge() {
			if (stopped) return;
			wanted = true;
			running ??= run();
		},
		async idle() {
			await running;
		},
		async stop() {
			stopped = true;
			wanted = false;
			await running;
		},
	};

	async function run(): Promise<void> {
		while (wanted) {
			wanted = false;
			await work();
		}
		// In the same turn as the last look at `wanted`: between the two a nudge would be lost.
		running = undefined;
	}
}

/** In milliseconds. */
const HOUR = 3600_000;

/** The same, nudged now and every hour. @param work what a run does. It must not reject */
export function hourly(work: () => Promise<void>): BackgroundWork {
	const { nudge, idle, stop } = backgroundWork(work);
	const timer = setInterval(nudge, HOUR).unref();
	nudge();
	return {
		nudge,
		idle,
		stop() {
			clearInterval(timer);
			return stop();
		},
	};
}
