import { parseArguments } from './arguments.ts';
import { ArgumentError, type Program, type Report, type Terminal } from './command.ts';
import { help } from './help.ts';
import type { Options } from './options.ts';
import { printable } from './printing.ts';

/** 0: done. 1: it could not be done, or there is nothing of the kind. 2: asked for in a wrong way. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs one command of a program: prints what came of it to `stdout`, and what stood in the way to `stderr`.
 *
 * @param needs read when a command needs them: help and a wrong call do not
 * @throws {StoreError} the store cannot be opened, or cannot do its work
 */
export async function runCommand<Table extends Options, Needs>(
	args: string[],
	program: Program<Table, Needs>,
	terminal: Terminal,
	needs: () => Needs,
): Promise<ExitCode> {
	try {
		const { command, values, operand } = parseArguments(args, program, terminal.program);
		const report = command
			? await command.run({ ...terminal, ...needs(), values, operand })
			: { done: true, text: help(program, terminal.program) };
		print(report, values['json'] === true, terminal);
		return report.done ? 0 : 1;
	} catch (error) {
		if (!(error instanceof ArgumentError)) throw error;
		terminal.stderr(printable(`${error.message}\n`));
		return 2;
	}
}

function print({ done, text, data }: Report, json: boolean, { stdout, stderr }: Terminal): void {
	if (json) stdout(printable(`${JSON.stringify(data ?? { error: text }, null, 2)}\n`));
	else if (text !== '') (done || data !== undefined ? stdout : stderr)(printable(text.endsWith('\n') ? text : `${text}\n`));
}
