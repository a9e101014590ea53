import fc from 'fast-check';

/** The seed of all random numbers in tests: the same in each run, but for `npm run test:release`, which draws it and prints it. */
export const seed = Number(process.env['TEST_SEED'] ?? 1);
export type { Scheduler } from 'fast-check';
fc.configureGlobal({ seed });

export default fc;

/** Returns random numbers from 0 to below 1 that a seed determines. */
export function randomFrom(seed: number): () => number {
	const [numbers] = fc.sample(fc.infiniteStream(fc.noBias(fc.nat()), { noHistory: true }), { seed, numRuns: 1 });
	return () => numbers!.next().value / 2 ** 31;
}
