import { afterAll, beforeAll } from 'vitest';

/** Shares a value among all tests of a file or group: created before the first of them, disposed of after the last. */
export function shared<Made extends AsyncDisposable>(make: () => Promise<Made>): () => Made {
	let made: Made | undefined;
	beforeAll(async () => void (made = await make()));
	afterAll(() => made?.[Symbol.asyncDispose]());
	return () => made!;
}
