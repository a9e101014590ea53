import type { CommandContext, Report } from './context.ts';
import { erase, purge } from './delete.ts';
import { exportLeads } from './export.ts';
import { list } from './list.ts';
import { onStore } from './on-store.ts';
import type { OptionName } from './options.ts';
import { release, retry } from './requeue.ts';
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
		options: ['state', 'source', 'long', 'limit', 'before', 'json'],
		summary: 'The leads that are kept, newest first, and how they stand.',
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
		summary: 'Try now to deliver one lead, or all that are given up.',
		run: onStore(retry),
	},
	release: {
		operand: 'ID',
		options: ['json'],
		summary: 'Deliver a lead that lies in quarantine.',
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
		summary: 'Delete what LEAD_RETENTION keeps no longer, as the server does hourly.',
		run: onStore(purge),
	},
	test: {
		options: ['json'],
		summary: 'Send a lead marked as a test to each channel, and say how it went.',
		run: sendTest,
	},
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;
