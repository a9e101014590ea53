import type { Logger } from 'pino';
import { StoreError } from '../store/database.ts';

/** In milliseconds: before work that failed in the store is tried again. */
export const STORE_PAUSE = 1000;
/** In milliseconds: between two lines about one outage. */
const MINUTE = 60_000;

/** Returns a function that does work in the store, and logs for the whole process when that fails: at first, then each minute, and when it is over. */
export function outageLog(begin: string, end: string) {
	let [saidAt, isSaid] = [-Infinity, false];
	return async <Result>(log: Logger, work: () => Promise<Result>, about?: object): Promise<Result> => {
		try {
			const result = await work();
			if (isSaid) log.info(end);
			isSaid = false;
			return result;
		} catch (error) {
			if (error instanceof StoreError && performance.now() - saidAt >= MINUTE) {
				log.error({ err: error, ...about }, begin);
				[saidAt, isSaid] = [performance.now(), true];
			}
			throw error;
		}
	};
}

export const watchStore = outageLog(
	'The store does not work: leads are answered 503, and nothing is delivered. It is tried again by itself.',
	'The store works again.',
);
