import type { EntryState } from '../store/store.ts';

export const states: readonly EntryState[] = ['waiting', 'delivered', 'parked', 'quarantined'];

/** Every option of every command, for `parseArgs` and for the help. */
export const options = {
	state: { type: 'string', usage: '--state STATE', summary: `Only these: ${states.join(', ')}.` },
	parked: { type: 'boolean', usage: '--parked', summary: 'All that are given up, and not tried again by themselves.' },
	csv: { type: 'boolean', usage: '--csv', summary: 'Comma-separated values that no spreadsheet takes for formulas.' },
	yes: { type: 'boolean', usage: '--yes', summary: 'Do not ask.' },
	json: { type: 'boolean', usage: '--json', summary: 'For programs: JSON instead of text.' },
} as const;

export type OptionName = keyof typeof options;

/** Those that were given. */
export interface Values {
	json?: boolean;
	state?: EntryState;
	parked?: boolean;
	csv?: boolean;
	yes?: boolean;
}
