import { version } from '../service/load.ts';
import { type Command, ONLY, type Program } from './command.ts';
import type { Options } from './options.ts';

/** What `help` prints: every command and option. @param typed how the program was called */
export function help<Table extends Options, Needs>(program: Program<Table, Needs>, typed: string): string {
	const { purpose, commands, options, local, operands } = program;
	const only = commands[ONLY];
	const usages = Object.entries(commands).map(([name, command]) => [usageOf(name, command, options), command.summary] as const);
	const flags = Object.values(options).map(({ usage, summary }) => [usage, summary] as const);
	return `${purpose}: the same settings as the server, which may run meanwhile. Version ${version}.

  ${typed} ${only ? usageOf(ONLY, only, options) : `COMMAND\n\n${columns(usages)}`}

${columns([...flags, ['--local', local]])}

${operands} Times are UTC.
Exit code: 0 done, 1 not done or nothing of the kind, 2 called in a wrong way.
`;
}

function usageOf<Table extends Options, Needs>(name: string, command: Command<Table, Needs>, options: Table): string {
	const flags = command.options.filter((option) => option !== 'json').map((option) => `[${options[option]!.usage}]`);
	const rest = command.usage ?? [command.operand, ...flags].filter(Boolean).join(' ');
	return [name, rest].filter(Boolean).join(' ');
}

function columns(rows: (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([first]) => first.length));
	return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join('\n');
}
