import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { purging } from '../../src/outbox/upkeep.ts';
import { type LeadStore, StoreError } from '../../src/store/store.ts';

type Purge = LeadStore['purge'];
/** A step that deletes so many entries of each kind. */
const step =
	(aged: number, excess = 0, done = true): Purge =>
	() =>
		Promise.resolve({ aged, excess, done });
const failure: Purge = () => Promise.reject(new StoreError('The lead store failed.'));

interface Scrubbing {
	/** Whether files have to be scrubbed. */
	scrubs?: boolean;
	/** Whether each scrubbing works: by default it does. */
	scrubbed?: boolean[];
}

test.each<[string, Purge[], Scrubbing, scrubs: number[], logged: [level: number, purged?: number][]]>([
	['at the next run since the store failed', [step(0), step(100, 0, false), failure], {}, [1, 1, 2, 2], [[50], [30, 100]]],
	['at a later run, since another keeps it', [step(1)], { scrubbed: [false, false] }, [1, 2, 3, 3], [[40], [30, 1], [40]]],
	['never from files that are the database’s own', [step(1), failure], { scrubs: false }, [0, 0], [[30, 1], [50]]],
	['with what quarantine held too much, of which the log warns', [step(0, 2)], {}, [1], [[40, 2]]],
])('what was deleted is taken out of the files %s', async (_, purges, { scrubs = true, scrubbed = [] }, times, logged) => {
	const [steps, outcomes] = [[...purges], [...scrubbed]];
	const scrub = vi.fn(() => Promise.resolve(outcomes.shift() ?? true));
	const purge: Purge = (limits) => (steps.shift() ?? step(0))(limits);
	const lines: { level: number; purged?: number }[] = [];
	const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]) });
	const file = scrubs ? ({} as LeadStore['file']) : undefined;
	const run = purging({ scrub, purge, file } as Partial<LeadStore> as LeadStore, 0, log);
	for (const scrubbings of times) {
		await run();
		expect(scrub).toHaveBeenCalledTimes(scrubbings);
	}
	expect(lines.map(({ level, purged }) => (purged ? [level, purged] : [level]))).toEqual(logged);
});
