import type { Logger } from 'pino';

/** In milliseconds: between two lines about one outage. */
const MINUTE = 60_000;

/** Returns what logs that something does not work which much of the process needs: at first, then once a minute, and when it is over. */
export function outage(begin: string, end: string) {
	let saidAt = -Infinity;
	let isSaid = false;
	return {
		/** @param about for the line, such as the error */
		goesOn(log: Logger, about: object): void {
			if (performance.now() - saidAt < MINUTE) return;
			saidAt = performance.now();
			isSaid = true;
			log.error(about, begin);
		},
		isOver(log: Logger): void {
			if (isSaid) log.info(end);
			isSaid = false;
		},
	};
}

/** An outage of the store, whoever meets it. */
export const storeOutage = outage(
	'The store does not work: leads are answered 503, and nothing is delivered. It is tried again by itself.',
	'The store works again.',
);
