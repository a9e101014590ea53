import { basename, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { StoreError } from '../lead/store/store.ts';
import { withMailbox } from '../server/deployment.ts';
import { SettingsError } from '../server/settings/environment.ts';
import { readSettings } from '../server/settings/settings.ts';
import type { Program } from './command.ts';
import type { Options } from './options.ts';
import { type ExitCode, runCommand } from './run.ts';

/** Runs a program for operators in this process, with what was typed, and sets its exit code. */
export async function operate<Table extends Options, Needs>(program: Program<Table, Needs>): Promise<void> {
	// Whoever reads our output may close it first: `npm run leads -- list | head`.
	process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
	process.exitCode = await exitCodeOf(program, process.argv.slice(2));
}

async function exitCodeOf<Table extends Options, Needs>(program: Program<Table, Needs>, args: string[]): Promise<ExitCode> {
	const terminal = {
		program: typed(program),
		stdout: (text: string) => void process.stdout.write(text),
		stderr: (text: string) => void process.stderr.write(text),
		progress: process.stderr.isTTY ? progress : () => {},
		confirm: process.stdin.isTTY ? confirm : undefined,
		ask,
	};
	const others = args.filter((arg) => arg !== '--local');
	try {
		return await runCommand(others, program, terminal, () =>
			program.needs(withMailbox(readSettings(), others.length < args.length)),
		);
	} catch (error) {
		if (error instanceof SettingsError) console.error(`These settings cannot be used:\n${error.message}`);
		else if (error instanceof StoreError) console.error(error.message);
		else throw error;
		return 1;
	}
}

/** What the operator typed to come here. */
function typed({ script }: { script: string }): string {
	if (process.env['npm_lifecycle_event'] === script) return `npm run ${script} --`;
	const [, file = ''] = process.argv;
	return `node ${relative('', file) || basename(file)}`;
}

/** Cuts off what would not fit: of a line that was wrapped only the end could be replaced. */
function progress(text: string): void {
	process.stderr.write(`\r\u001B[2K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
}

/** Ctrl+D and Ctrl+C are a no. */
async function confirm(question: string): Promise<boolean> {
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const answer = await terminal
		.question(`${question} [y/N] `)
		.catch(() => '')
		.finally(() => terminal.close());
	return /^y(es)?$/i.test(answer.trim());
}

async function ask(question: string): Promise<string> {
	if (process.stdin.isTTY) process.stderr.write(`${question} `);
	const lines = createInterface({ input: process.stdin });
	const { value } = await lines[Symbol.asyncIterator]().next();
	lines.close();
	return String(value ?? '').trim();
}
