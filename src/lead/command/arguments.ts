import { parseArgs } from 'node:util';
import { nearest } from '../../service/nearest.ts';
import { ArgumentError } from './context.ts';
import { type Command, type CommandName, commands } from './commands.ts';
import { options, states, type Values } from './options.ts';

export interface Arguments {
	command: CommandName | 'help';
	values: Values;
	operand: string | undefined;
}

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
		// The first sentence of Node's message is what an operator needs, the rest is for programmers.
		throw wrong(`${name}: ${(error as Error).message.split('. ', 1)[0]!.replace(/\.$/, '')}.`);
	}
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

function suggestion(name: string): string {
	const meant = nearest(name, [...Object.keys(commands), 'help']);
	return meant === undefined ? '' : ` Did you mean ${meant}?`;
}
