/** The store cannot do its work now: disk full, server gone. The cause is the driver's error. The message names no lead. */
export class StoreError extends Error {
	override name = 'StoreError';
}

/** Wraps a driver's error. */
export const storeFailure = (cause: unknown): StoreError =>
	new StoreError(`The lead store failed: ${reasonOf(cause)}. It recovers by itself once the cause is gone.`, { cause });

/** Returns an error's message, or its code: some of Node's network errors have no message. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.message || ('code' in error ? String(error.code) : error.name);
}
