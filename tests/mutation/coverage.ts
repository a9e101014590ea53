import { afterAll, afterEach, beforeEach } from 'vitest';
import { newTraces, stryker } from './mutants.ts';

/** Runs before each test file: tells Stryker which test makes programs under test come by which mutant. */
const tests: string[] = [];
const between: string[] = [];

beforeEach(() => {
	tests.push(stryker()?.currentTestId ?? '');
	between.push(...newTraces());
});

afterEach(() => note(tests.at(-1)!, newTraces()));

/** A program that no test has started by itself is there for all of them. */
afterAll(() => tests.forEach((test) => note(test, between)));

function note(test: string, lines: string[]): void {
	const coverage = (stryker()!.mutantCoverage ??= { static: {}, perTest: {} });
	const counts = (coverage.perTest[test] ??= {});
	for (const line of lines) {
		const [, loading, mutant] = /^(static )?(.*)$/.exec(line)!;
		(loading ? coverage.static : counts)[mutant!] ??= 1;
	}
}
