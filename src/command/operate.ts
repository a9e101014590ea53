import { basename, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command, CommanderError, Option } from '@commander-js/extra-typings';
import { StoreError } from '../lead/store/store.ts';
import { withMailbox } from '../server/backend.ts';
import { SettingsError } from '../server/settings/environment.ts';
import { readSettings } from '../server/settings/settings.ts';
import { version } from '../facts/load.ts';
import { ArgumentError, type Program, type Report, type Terminal } from './command.ts';
import { printable } from './printing.ts';

/** Runs a program for operators in this process, with the typed arguments, and sets its exit code. */
export async function operate<Needs>(program: Program<Needs>): Promise<void> {
	// The reader of our output may close it first: `npm run leads -- list | head`.
	process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
	const terminal: Terminal = {
		program: typedCommand(program),
		stdout: (text) => void process.stdout.write(text),
		stderr: (text) => void process.stderr.write(text),
		confirm: process.stdin.isTTY ? confirm : undefined,
		ask,
	};
	process.exitCode = await runCommand(program, process.argv.slice(2), terminal);
}

/** 0: done. 1: not done, or nothing found. 2: called in a wrong way. */
type ExitCode = 0 | 1 | 2;

/**
 * Runs one command: prints its result to `stdout`, and reasons and wrong calls to `stderr`.
 *
 * @param environment the variables with the settings, by default those of this process and of `.env`
 */
export async function runCommand<Needs>(
	program: Program<Needs>,
	args: string[],
	terminal: Terminal,
	environment?: Record<string, string>,
): Promise<ExitCode> {
	const complain = (text: string) => terminal.stderr(printable(text));
	let code: ExitCode = 0;
	const parser = new Command(terminal.program)
		.description(`${program.purpose}: the same settings as the server, which may run meanwhile. Version ${version}.`)
		.addHelpText(
			'afterAll',
			`\n${program.operands} Times are UTC.\nExit code: 0 done, 1 not done or nothing of the kind, 2 called in a wrong way.`,
		)
		.configureOutput({ writeOut: terminal.stdout, writeErr: complain })
		.showHelpAfterError(`Run ${terminal.program} --help to see what there is.`)
		.exitOverride();
	program.describe(parser, async (work, called) => {
		const isGiven = (option: string) => option in called.values || option in parser.opts();
		// Help and a wrong call need no settings.
		const needs = program.needs(withMailbox(readSettings(environment), isGiven('local')));
		const report = await work({ ...terminal, ...needs, ...called });
		print(report, isGiven('json'), terminal);
		code = report.done ? 0 : 1;
	});
	const options = [new Option('--json', 'For programs: JSON instead of text.'), new Option('--local', program.local)];
	for (const command of [parser, ...parser.commands]) for (const option of options) command.addOption(option);

	try {
		await parser.parseAsync(args, { from: 'user' });
		return code;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		if (error instanceof SettingsError) complain(`These settings cannot be used:\n${error.message}\n`);
		else if (error instanceof ArgumentError || error instanceof StoreError) complain(`${error.message}\n`);
		else throw error;
		return error instanceof ArgumentError ? 2 : 1;
	}
}

/** The command line that the operator typed. */
function typedCommand({ script }: { script: string }): string {
	if (process.env['npm_lifecycle_event'] === script) return `npm run ${script} --`;
	const [, file = ''] = process.argv;
	return `node ${relative('', file) || basename(file)}`;
}

/** Ctrl+D and Ctrl+C mean no. */
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

function print({ done, text, data }: Report, json: boolean, { stdout, stderr }: Terminal): void {
	if (data === undefined && text === '') return;
	if (json) stdout(printable(`${JSON.stringify(data ?? { error: text }, null, 2)}\n`));
	else if (text !== '') (done || data !== undefined ? stdout : stderr)(printable(text.endsWith('\n') ? text : `${text}\n`));
}
