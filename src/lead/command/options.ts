import { commonOptions, type Options, type Values as ValuesOf } from '../../command/options.ts';
import type { EntryState } from '../store/store.ts';

/** What `--state` takes, in the order in which `list` counts them. */
export const states: readonly EntryState[] = ['waiting', 'delivered', 'parked', 'quarantined'];

/** Every option of every command. */
export const options = {
	state: { type: 'string', usage: '--state STATE', summary: `Only these: ${states.join(', ')}.`, choices: states },
	source: { type: 'string', usage: '--source SOURCE', summary: 'Only leads from there, for example api-access.' },
	long: { type: 'boolean', usage: '--long', summary: 'With name, clinic and email.' },
	limit: { type: 'string', usage: '--limit N', summary: 'So many at the most; 50 unless given.' },
	before: { type: 'string', usage: '--before ID', summary: 'Only what is older than this one.' },
	parked: { type: 'boolean', usage: '--parked', summary: 'All that are given up, and not tried again by themselves.' },
	csv: { type: 'boolean', usage: '--csv', summary: 'Comma-separated values that no spreadsheet takes for formulas.' },
	...commonOptions,
} as const satisfies Options;

export type Values = ValuesOf<typeof options>;
