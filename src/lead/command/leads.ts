import type { Command, Program } from '../../command/command.ts';
import { onStore } from '../../command/on-store.ts';
import { channelsOf, visitorMailOf } from '../channels/index.ts';
import { backup } from './backup.ts';
import type { LeadSettings } from './context.ts';
import { erase, purge } from './delete.ts';
import { exportLeads } from './export.ts';
import { list } from './list.ts';
import { options } from './options.ts';
import { release, retry } from './requeue.ts';
import { show } from './show.ts';
import { sendTest } from './test.ts';

const onLeads = onStore(
	(program) =>
		'LEAD_STORE is none: each lead is delivered within its request, and nothing is kept that could be listed, retried or erased.\n' +
		`What works is ${program} test. To keep leads until they are delivered, set LEAD_STORE and start the server again.`,
);

const commands: Record<string, Command<typeof options, LeadSettings>> = {
	list: {
		options: ['state', 'source', 'long', 'limit', 'before', 'json'],
		summary: 'The leads that are kept, newest first, and how they stand.',
		run: onLeads(list),
	},
	show: {
		operand: 'ID',
		options: ['json'],
		summary: 'One lead with all that is kept of it.',
		run: onLeads(show),
	},
	retry: {
		operand: 'ID',
		operandOptional: true,
		usage: 'ID|--parked',
		options: ['parked', 'json'],
		summary: 'Try now to deliver one lead, or all that are given up.',
		run: onLeads(retry),
	},
	release: {
		operand: 'ID',
		options: ['json'],
		summary: 'Deliver a lead that lies in quarantine.',
		run: onLeads(release),
	},
	export: {
		options: ['state', 'csv'],
		summary: 'All leads as JSON Lines, or with --csv for a spreadsheet.',
		run: onLeads(exportLeads),
	},
	erase: {
		operand: 'EMAIL',
		options: ['yes', 'json'],
		summary: 'Delete all that is kept of one person.',
		run: onLeads(erase),
	},
	purge: {
		options: ['json'],
		summary: 'Delete what LEAD_RETENTION keeps no longer, as the server does hourly.',
		run: onLeads(purge),
	},
	backup: {
		operand: 'FILE',
		options: ['json'],
		summary: 'Copy the store to a new file while the server runs: leads, and the keys that unseal them.',
		run: backup,
	},
	test: {
		options: ['json'],
		summary: 'Send a lead marked as a test to each channel, and say how it went.',
		run: sendTest,
	},
};

/** Everything that an operator can do with leads. */
export const leads: Program<typeof options, LeadSettings> = {
	script: 'leads',
	purpose: 'Looks after leads',
	commands,
	options,
	local: 'As npm start: without a channel, leads go to the embedded mailbox.',
	operands: 'ID is the beginning or the end of an id, as long as only one has it.',
	needs: (settings) => {
		const { store, retention, language } = settings;
		return { store, retention, language, channels: channelsOf(settings), visitorMail: visitorMailOf(settings) };
	},
};
