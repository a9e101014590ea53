import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, truncateSync } from 'node:fs';
import path from 'node:path';

/** The state that Stryker keeps in a process: the active mutant and, in the first run, which has none, the mutants that each test reaches. */
interface Stryker {
	activeMutant?: string;
	currentTestId?: string;
	mutantCoverage?: { static: Coverage; perTest: Record<string, Coverage> };
}

/** How often, by mutant. */
type Coverage = Record<string, number>;

/** Undefined where no mutants are tested. */
export const stryker = () => (globalThis as Record<string, unknown>)['__stryker__'] as Stryker | undefined;

const traces: string[] = [];

/** The variables that activate the mutant in a program under test, or make it record the mutants that it reaches. */
export function mutantEnvironment(): Record<string, string> {
	const state = stryker();
	if (!state) return {};
	if (state.activeMutant !== undefined) return { __STRYKER_ACTIVE_MUTANT__: state.activeMutant };
	const trace = path.resolve(`var/test/mutants-${randomUUID()}`);
	traces.push(trace);
	return { MUTANT_TRACE: trace, NODE_OPTIONS: `--import=${import.meta.resolve('./trace.ts')}` };
}

/** The mutants that programs have come by since this was asked last. */
export const newTraces = (): string[] =>
	traces.filter(existsSync).flatMap((trace) => {
		const mutants = readFileSync(trace, 'utf8').split('\n').filter(Boolean);
		truncateSync(trace);
		return mutants;
	});
