import type { Logger } from 'pino';

/** In milliseconds. */
const MINUTE = 60_000;

/** A warning for what may happen often: the first is logged at once, and then a line a minute says how many there were. */
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
