import { erase } from './erase.ts';
import { exportLeads } from './export.ts';
import { list } from './list.ts';
import { onStore } from './on-store.ts';
import type { OptionName } from './options.ts';
import { purge } from './purge.ts';
import { release } from './release.ts';
import type { CommandContext, Report } from './report.ts';
import { retry } from './retry.ts';
import { show } from './show.ts';
import { sendTest } from './test.ts';

export interface Command {
	/** What stands behind its name, for the help: `ID`. */
	operand?: string;
	/** Whether it works without the operand. */
	operandOptional?: boolean;
	/** The options that it takes, of `options.ts`. */
	options: readonly OptionName[];
	/** One line for the help. */
	summary: string;
	run(context: CommandContext): Promise<Report>;
}

/** Everything that an operator can do with leads, in the order of the help. */
export const commands = {
	list: {
		options: ['state', 'json'],
		summary: 'Every lead that is kept, newest first: state, channel, tries, next try, last error.',
		run: onStore(list),
	},
	show: {
		operand: 'ID',
		options: ['json'],
		summary: 'One lead with all that is kept of it.',
		run: onStore(show),
	},
	retry: {
		operand: 'ID',
		operandOptional: true,
		options: ['parked', 'json'],
		summary: 'Try again now to deliver one lead, or with --parked all that are given up.',
		run: onStore(retry),
	},
	release: {
		operand: 'ID',
		options: ['json'],
		summary: 'Let a lead out of quarantine: it is delivered as if it had come in now.',
		run: onStore(release),
	},
	export: {
		options: ['state', 'csv'],
		summary: 'All leads as JSON Lines, or with --csv for a spreadsheet.',
		run: onStore(exportLeads),
	},
	erase: {
		operand: 'EMAIL',
		options: ['yes', 'json'],
		summary: 'Delete all that is kept of one person.',
		run: onStore(erase),
	},
	purge: {
		options: ['json'],
		summary: 'Delete now what LEAD_RETENTION no longer keeps. The server does so every hour.',
		run: onStore(purge),
	},
	test: {
		options: ['json'],
		summary: 'Send a lead marked as a test through each channel. It is not stored.',
		run: sendTest,
	},
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;
