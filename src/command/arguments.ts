import { parseArgs } from 'node:util';
import { nearest } from '../service/nearest.ts';
import { ArgumentError, type Command, ONLY, type Program } from './command.ts';
import type { Options, Values } from './options.ts';

export interface Arguments<Table extends Options, Needs> {
	/** Undefined: help. */
	command: Command<Table, Needs> | undefined;
	values: Values<Table>;
	operand: string | undefined;
}

/**
 * @param typed how the program was called, for messages
 * @throws {ArgumentError}
 */
export function parseArguments<Table extends Options, Needs>(
	args: string[],
	{ script: program, commands, options }: Program<Table, Needs>,
	typed: string,
): Arguments<Table, Needs> {
	const wrong = (message: string) => new ArgumentError(`${message}\nRun ${typed} help to see what there is.`);
	const first = args.find((arg) => !arg.startsWith('-'));
	if (args.some((arg) => ['--help', '-h'].includes(arg)) || first === 'help')
		return { command: undefined, values: {}, operand: undefined };
	const name = ONLY in commands ? ONLY : first;
	if (name === undefined) throw wrong('Say what to do, for example list.');
	const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
	if (command === undefined) throw wrong(`There is no command ${name}.${suggestion(name, Object.keys(commands))}`);

	const taken = Object.fromEntries(command.options.map((option) => [option, options[option]!]));
	const called = name || program;
	const { values, positionals } = parsed(args, taken, (message) => wrong(`${called}: ${message}`));
	const [operand, ...more] = name === ONLY ? positionals : positionals.slice(1);
	if (command.operand && !command.operandOptional && operand === undefined)
		throw wrong(`${called} needs to know which: ${[typed, name, command.operand].filter(Boolean).join(' ')}`);
	if (more.length > 0 || (operand !== undefined && !command.operand))
		throw wrong(`${called} does not take ${more[0] ?? operand}.`);
	for (const [option, { choices }] of Object.entries(taken))
		if (choices && Object.hasOwn(values, option) && !choices.includes(String(values[option])))
			throw wrong(`--${option} is one of ${choices.join(', ')}.`);
	return { command, values: values as Values<Table>, operand };
}

function parsed(args: string[], options: Options, wrong: (message: string) => ArgumentError) {
	try {
		return parseArgs({ args, options, allowPositionals: true });
	} catch (error) {
		// The first sentence of Node's message is what an operator needs, the rest is for programmers.
		throw wrong(`${(error as Error).message.split('. ', 1)[0]!.replace(/\.$/, '')}.`);
	}
}

function suggestion(name: string, commands: string[]): string {
	const meant = nearest(name, [...commands, 'help']);
	return meant === undefined ? '' : ` Did you mean ${meant}?`;
}
