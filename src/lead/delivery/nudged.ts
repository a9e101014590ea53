/** Work that follows a nudge. */
export interface Nudged {
	/** Work now; during a run, once more after it. */
	nudge(): void;
	/** Waits for the run that goes on, and what was nudged meanwhile. */
	idle(): Promise<void>;
	/** Starts no more runs, and waits for the one that goes on. */
	stop(): Promise<void>;
}

/** Runs the work after each nudge, one run at a time. The work must not reject. */
export function nudged(work: () => Promise<void>): Nudged {
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

/** Runs the work now, every hour, and after each nudge. */
export function hourly(work: () => Promise<void>): Nudged {
	const { nudge, idle, stop } = nudged(work);
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
