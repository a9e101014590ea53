/** The seed of all random numbers in tests: the same in each run, but for `npm run test:release`, which draws it and prints it. */
export const seed = Number(process.env['TEST_SEED'] ?? 1);

/** Returns random numbers from 0 to 1 that a seed determines: Mulberry32. */
export function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
