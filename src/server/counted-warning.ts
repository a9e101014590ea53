import type { Logger } from 'pino';

/** In milliseconds. */
const MINUTE = 60_000;

/** Returns a warning for a frequent event: logs the first at once, then one line a minute with the number of events. */
export function countedWarning(log: Logger, message: string): () => void {
	let count = 0;
	let timer: NodeJS.Timeout | undefined;

	function tell(): void {
		timer = count === 0 ? undefined : setTimeout(tell, MINUTE).unref();
		if (count > 0) log.warn({ count }, message);
		count = 0;
	}

	return () => {
		count += 1;
		if (timer === undefined) tell();
	};
}
