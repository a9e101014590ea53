import type { Channel } from '../channels/channel.ts';
import type { StoreSetting } from '../store/index.ts';
import { ArgumentError } from './argument-error.ts';
import { parseArguments } from './arguments.ts';
import { commands } from './commands.ts';
import { help } from './help.ts';
import { type Report, printable } from './report.ts';

/** Where the operator's command runs. */
export interface CommandOptions {
	/** How it was called, for what it tells the operator to run: `npm run leads --`. */
	program: string;
	/** Read when a command needs them: help and a wrong call do not. */
	settings: () => LeadSettings;
	stdout: (text: string) => void;
	stderr: (text: string) => void;
	/** Asks the operator; undefined: there is nobody to ask. */
	confirm: ((question: string) => Promise<boolean>) | undefined;
}

/** What a deployment does with leads, as the server has it. */
export interface LeadSettings {
	store: StoreSetting;
	channels: Channel[];
	/** The way to confirm to visitors, where there is one. */
	visitorMail: Channel | undefined;
	/** How long a delivered lead is kept, in seconds. */
	retention: number;
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
