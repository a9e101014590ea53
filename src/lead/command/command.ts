import { parseArguments } from './arguments.ts';
import { commands } from './commands.ts';
import { ArgumentError, type CommandContext, type LeadSettings, type Report } from './context.ts';
import { help } from './help.ts';
import { printable } from './printing.ts';

/** Where the operator's command runs. */
export interface CommandOptions extends Pick<CommandContext, 'program' | 'stdout' | 'confirm'> {
	/** Read when a command needs them: help and a wrong call do not. */
	settings: () => LeadSettings;
	stderr: (text: string) => void;
}

/** 0: done. 1: it could not be done, or there is nothing of the kind. 2: asked for in a wrong way. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs one command: prints what came of it to `stdout`, and what stood in the way to `stderr`.
 *
 * @throws {StoreError} the store cannot be opened, or cannot do its work
 */
export async function runCommand(args: string[], options: CommandOptions): Promise<ExitCode> {
	try {
		const { command, values, operand } = parseArguments(args, options.program);
		const report =
			command === 'help'
				? { done: true, text: help(options.program) }
				: await commands[command].run({ ...options, ...options.settings(), values, operand });
		print(report, values.json === true, options);
		return report.done ? 0 : 1;
	} catch (error) {
		if (!(error instanceof ArgumentError)) throw error;
		options.stderr(printable(`${error.message}\n`));
		return 2;
	}
}

function print({ done, text, data }: Report, json: boolean, { stdout, stderr }: CommandOptions): void {
	if (json) stdout(printable(`${JSON.stringify(data ?? { error: text }, null, 2)}\n`));
	else if (text !== '') (done || data !== undefined ? stdout : stderr)(printable(text.endsWith('\n') ? text : `${text}\n`));
}
