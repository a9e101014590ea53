import { afterAll, beforeAll } from 'vitest';

/** What all tests of a file or of a group use: made before the first of them, and disposed of after the last. */
export function shared<Made extends AsyncDisposable>(make: () => Promise<Made>): () => Made {
	let made: Made | undefined;
	beforeAll(async () => void (made = await make()));
	afterAll(() => made?.[Symbol.asyncDispose]());
	return () => made!;
}
