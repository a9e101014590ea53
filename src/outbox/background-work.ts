/** Work that nobody waits for. A caller nudges it when there is something to do. Only one run goes on at a time. */
export class BackgroundWork {
	readonly #work: () => Promise<number>;
	#wanted = false;
	#stopped = false;
	#running: Promise<void> | undefined;
	#timer: NodeJS.Timeout | undefined;

	/** @param work one run, which must not reject; it returns in how many milliseconds to run again, unless nudged before */
	constructor(work: () => Promise<number>) {
		this.#work = work;
	}

	/** Starts a run. During a run, schedules one more after it, no matter how many nudges there are. */
	nudge(): void {
		if (this.#stopped) return;
		this.#wanted = true;
		this.#running ??= this.#run();
	}

	/** Resolves when no run goes on and none follows at once. */
	async idle(): Promise<void> {
		await this.#running;
	}

	/** Heeds no more nudges, and waits for the runs of those before. */
	async stop(): Promise<void> {
		this.#stopped = true;
		await this.#running;
		clearTimeout(this.#timer);
	}

	async #run(): Promise<void> {
		let pause = 0;
		while (this.#wanted) {
			this.#wanted = false;
			pause = await this.#work();
		}
		// In the same turn as the last look at `#wanted`: a nudge between the two would be lost.
		this.#running = undefined;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.nudge(), pause).unref();
	}
}
