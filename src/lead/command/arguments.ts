import { parseArgs } from 'node:util';
import type { EntryState } from '../store/store.ts';
import { type Command, type CommandName, commands, type OptionName } from './commands.ts';
import { nearest } from './nearest.ts';

/** The command was called in a wrong way. The message says which way is right. */
export class ArgumentError extends Error {
	override name = 'ArgumentError';
}

export interface Arguments {
	command: CommandName | 'help';
	values: Values;
	operand: string | undefined;
}

export interface Values {
	json?: boolean;
	state?: EntryState;
	parked?: boolean;
	csv?: boolean;
	yes?: boolean;
}

export const states: readonly EntryState[] = ['waiting', 'delivered', 'parked', 'quarantined'];

/** Every option of every command. `--local` and `--help` go with all of them. */
export const options: Record<OptionName, { type: 'boolean' | 'string'; usage: string; summary: string }> = {
	state: { type: 'string', usage: '--state STATE', summary: `Only these: ${states.join(', ')}.` },
	parked: { type: 'boolean', usage: '--parked', summary: 'All that are given up, and not tried again by themselves.' },
	csv: { type: 'boolean', usage: '--csv', summary: 'Comma-separated values that no spreadsheet takes for formulas.' },
	yes: { type: 'boolean', usage: '--yes', summary: 'Do not ask.' },
	json: { type: 'boolean', usage: '--json', summary: 'For programs: JSON instead of text.' },
};

/** @throws {ArgumentError} */
export function parseArguments(args: string[], program: string): Arguments {
	const wrong = (message: string) => new ArgumentError(`${message}\nRun ${program} help to see what there is.`);
	const name = args.find((arg) => !arg.startsWith('-'));
	if (args.some((arg) => ['--help', '-h'].includes(arg)) || name === 'help')
		return { command: 'help', values: {}, operand: undefined };
	if (name === undefined) throw wrong('Say what to do, for example list.');
	if (!isCommand(name)) throw wrong(`There is no command ${name}.${suggestion(name)}`);

	const { values, positionals } = parsed(name, args, wrong);
	const [, operand, ...more] = positionals;
	const command: Command = commands[name];
	if (command.operand && !command.operandOptional && operand === undefined)
		throw wrong(`${name} needs to know which: ${program} ${name} ${command.operand}`);
	if (more.length > 0 || (operand !== undefined && !command.operand)) throw wrong(`${name} does not take ${more[0] ?? operand}.`);
	if (values.state !== undefined && !states.includes(values.state)) throw wrong(`--state is one of ${states.join(', ')}.`);
	return { command: name, values, operand };
}

function parsed(name: CommandName, args: string[], wrong: (message: string) => ArgumentError) {
	const allowed = Object.fromEntries(commands[name].options.map((option) => [option, { type: options[option].type }]));
	try {
		const { values, positionals } = parseArgs({ args, options: allowed, allowPositionals: true });
		return { values: values as Values, positionals };
	} catch (error) {
		// Of its messages the first sentence is for operators, the rest for programmers.
		throw wrong(`${name}: ${(error as Error).message.split('. ', 1)[0]!.replace(/\.$/, '')}.`);
	}
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

function suggestion(name: string): string {
	const meant = nearest(name, [...Object.keys(commands), 'help']);
	return meant === undefined ? '' : ` Did you mean ${meant}?`;
}
