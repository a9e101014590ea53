import type { Command, Program } from '../../command/command.ts';
import { TIME_UNITS } from '../../values/time.ts';
import { keyMailOf } from '../key-mail.ts';
import { check } from './check.ts';
import type { KeySettings } from './context.ts';
import { issue } from './issue.ts';
import { list } from './list.ts';
import { onKeys } from './on-keys.ts';
import { options } from './options.ts';
import { revoke } from './revoke.ts';
import { rotate } from './rotate.ts';
import { show } from './show.ts';
import { whereIssued } from './where-issued.ts';

const commands: Record<string, Command<typeof options, KeySettings>> = {
	issue: {
		usage: '--for LEAD|--name NAME --email EMAIL …',
		options: ['for', 'name', 'email', 'scopes', 'limit', 'expires', 'test', 'send', 'json'],
		summary: 'Make a key, and print it, this once, with the reply to its owner.',
		run: whereIssued(onKeys(issue)),
	},
	list: {
		options: ['json'],
		summary: 'All keys, newest first, with owner, limit and use. Never a key itself.',
		run: onKeys(list),
	},
	show: {
		operand: 'ID',
		options: ['json'],
		summary: 'One key with all that is kept of it.',
		run: onKeys(show),
	},
	rotate: {
		operand: 'ID',
		options: ['overlap', 'send', 'json'],
		summary: 'Make another key for the same owner, and let the old one end.',
		run: whereIssued(onKeys(rotate)),
	},
	revoke: {
		operand: 'ID',
		options: ['yes', 'json'],
		summary: 'End a key at once.',
		run: onKeys(revoke),
	},
	check: {
		options: ['json'],
		summary: 'Read a key from standard input: whose it is, and whether it works.',
		run: check,
	},
};

/** Everything that an operator can do with API keys. */
export const keys: Program<typeof options, KeySettings> = {
	script: 'keys',
	purpose: 'Issues and looks after API keys',
	commands,
	options,
	local: 'As in leads; keys are the same with it.',
	operands:
		'ID is the beginning of a key’s id, LEAD the beginning or the end of a lead’s, as long as only one has it.\n' +
		`TIME is a number of ${TIME_UNITS}.`,
	needs: (settings) => ({ store: settings.store, mail: keyMailOf(settings) }),
};
