import { version } from '../../service/load.ts';
import { type Command, commands } from './commands.ts';
import { type OptionName, options } from './options.ts';

/** What `help` prints: every command and option. */
export function help(program: string): string {
	const usages = Object.entries(commands).map(([name, command]) => [usageOf(name, command), command.summary] as const);
	const flags = Object.values(options).map(({ usage, summary }) => [usage, summary] as const);
	return `Looks after leads: the same settings as the server, which may run meanwhile. Version ${version}.

  ${program} COMMAND

${columns(usages)}

${columns([...flags, ['--local', 'As npm start: without a channel, leads go to the embedded mailbox.']])}

ID is the beginning or the end of an id, as long as only one has it. Times are UTC.
Exit code: 0 done, 1 not done or nothing of the kind, 2 called in a wrong way.
`;
}

function usageOf(name: string, { operand, operandOptional, options: taken }: Command): string {
	const flags = taken.filter((option) => option !== 'json').map((option: OptionName) => `[${options[option].usage}]`);
	const alternatives = operandOptional ? `${operand}|--parked` : [operand, ...flags].filter(Boolean).join(' ');
	return [name, alternatives].filter(Boolean).join(' ');
}

function columns(rows: (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([first]) => first.length));
	return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join('\n');
}
