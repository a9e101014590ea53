/** Work that nobody waits for. A caller nudges it when there is something to do. Only one run goes on at a time. */
export interface BackgroundWork {
	/** Starts a run. During a run, schedules one more after it, no matter how many nudges there are. */
	nudge(): void;
	/** Resolves when no run goes on and none follows. */
	idle(): Promise<void>;
	/** Heeds no more nudges, and waits for the runs of those before. */
	stop(): Promise<void>;
}

/** @param work one run; must not reject */
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
			await running;
		},
	};

	async function run(): Promise<void> {
		while (wanted) {
			wanted = false;
			await work();
		}
		// In the same turn as the last look at `wanted`: a nudge between the two would be lost.
		running = undefined;
	}
}
