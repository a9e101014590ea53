import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import everything from '../vitest.config.ts';

/** The folder of tests that is asked: the one of the same name as that whose code is changed. */
const room = process.env['ROOM'] ?? '{lead,http}';

/** Left out: what takes long for what others notice, too. */
const slow = ['!(postgres).long'];

/** Left out as well: what takes long one by one, and what harms the process that it runs in, which Stryker needs. */
const unfit = [
	'a disk that fails',
	'a file handle that has gone bad',
	'does not end',
	'never ends its request',
	'does not let go is given up',
	'is said to be left',
	'the store says so',
];

/** The first failure ends a run, so what is quick comes first. */
class QuickFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		// oxlint-disable-next-line unicorn/no-array-sort -- no array's
		const slowFirst = await super.sort(files);
		return slowFirst.toReversed();
	}
}

/** The tests of leads, from outside and from inside. */
export default defineConfig({
	...everything,
	test: {
		...everything.test,
		include: [`tests/${room}/**/*.test.ts`],
		exclude: slow.map((name) => `**/${name}.test.ts`),
		testNamePattern: new RegExp(`^(?!.*(${unfit.join('|')}))`),
		sequence: { sequencer: QuickFirst },
		// A mutant may keep an event from happening, so tests wait for less time.
		testTimeout: 20_000,
		hookTimeout: 20_000,
		expect: { poll: { timeout: 10_000 } },
		setupFiles: ['tests/support/log-watch.ts', 'tests/mutation/coverage.ts'],
	},
});
