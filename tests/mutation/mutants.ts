import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, truncateSync } from 'node:fs';
import path from 'node:path';

/** What Stryker keeps in a process that tests mutants: which is active, and in its first run, which there is none in, who came by which. */
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

/** What a program under test must be told, so that the mutant is active there, too, or so that it writes down where it comes by. */
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
