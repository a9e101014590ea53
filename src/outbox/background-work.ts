/** Returns work that nobody waits for, one run at a time. @param work never rejects; returns in how many milliseconds to run again, if it does so by itself */
export function backgroundWork(work: () => Promise<number | void>) {
	let [wanted, stopped] = [false, false];
	let running: Promise<void> | undefined;
	let timer: NodeJS.Timeout | undefined;

	/** Starts a run. During a run, schedules one more after it, no matter how many nudges there are. */
	function nudge(): void {
		if (stopped) return;
		wanted = true;
		running ??= run();
	}

	async function run(): Promise<void> {
		let pause: number | void = undefined;
		while (wanted) {
			wanted = false;
			pause = await work();
		}
		// In the same turn as the last look at `wanted`: a nudge between the two would be lost.
		running = undefined;
		clearTimeout(timer);
		if (pause !== undefined) timer = setTimeout(nudge, pause).unref();
	}

	return {
		nudge,
		/** Resolves when no run goes on and none follows at once. */
		idle: async () => running,
		/** Heeds no more nudges, and waits for the runs of those before. */
		async stop(): Promise<void> {
			stopped = true;
			await running;
			clearTimeout(timer);
		},
	};
}
