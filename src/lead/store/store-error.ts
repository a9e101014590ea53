/** The store cannot do its work now: disk full, server gone. The cause is the driver's error; the message names no lead. */
export class StoreError extends Error {
	override name = 'StoreError';
}

/** What a driver has thrown while the store was at work. */
export const storeFailure = (cause: unknown): StoreError =>
	new StoreError(`The lead store failed: ${reasonOf(cause)}. It goes on by itself once the cause is gone.`, { cause });

/** What an error says of itself; some of Node's network errors have a code only. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.message || ('code' in error ? String(error.code) : error.name);
}
