import { existsSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command, CommanderError, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type * as z from 'zod';
import { commandOf, version } from '../facts/load.ts';
import type { mustBe } from '../lead/values.ts';
import { type LeadStore, openStore, StoreError, type StorePlace } from '../store/store.ts';
import { withMailbox } from '../server/backend.ts';
import { SettingsError } from '../server/settings/environment.ts';
import { readSettings, type Settings } from '../server/settings/settings.ts';
import { printable } from './printing.ts';

/** A program for operators: words for its help, and a function that adds its commands. Its file has the name of its npm script. */
export interface Program {
	purpose: string;
	operands: string;
	describe: (program: Command, call: Call) => void;
}

/** One call of a program: an action opens settings and store by it, and prints its result by it. */
export interface Call {
	/** The command line of the program, for advice to the operator: `npm run leads --`. */
	program: string;
	/** The server's settings. With `--local`, the embedded mailbox is a channel. */
	settings: () => Settings;
	/** Opens the store, which the server may have open at the same time. @throws {Failure | StoreError} */
	openStore: () => Promise<LeadStore>;
	/** Asks before an act that cannot be undone. @param again the call that does not ask @throws {Failure} the answer is no */
	confirm: (question: string, again: string) => Promise<void>;
	/** Prints the result as text or, with `--json`, as data. @param done false: the exit code is 1 all the same */
	print: (data: object, text: string, done?: boolean) => void;
	/** Prints a part of a result that is too long to be held. */
	write: (text: string) => void;
}

/** The command could not do its work, or found nothing. The message says why and, on further lines, what to do. */
export class Failure extends Error {
	override name = 'Failure';
}

interface Terminal extends Pick<Call, 'program'> {
	stdout: (text: string) => void;
	stderr: (text: string) => void;
	/** Asks the operator. Undefined where no terminal can answer. */
	ask: ((question: string) => Promise<boolean>) | undefined;
	/** The variables with the settings, by default those of this process and of `.env`. */
	environment?: Record<string, string>;
}

/** Runs a program for operators in this process, with the typed arguments, and sets its exit code. */
export async function operate(program: Program): Promise<void> {
	const { argv, env } = process;
	const [, file = '', ...args] = argv;
	const script = basename(file, '.mjs');
	// The reader of our output may close it first: `npm run leads -- list | head`.
	process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
	process.exitCode = await runCommand(program, args, {
		program: env['npm_lifecycle_event'] === script || env['STATE_DIRECTORY'] ? commandOf(script) : `node ${relative('', file)}`,
		stdout: (text) => void process.stdout.write(text),
		stderr: (text) => void process.stderr.write(text),
		ask: process.stdin.isTTY ? ask : undefined,
	});
}

/** Runs one command: prints its result to `stdout`, and reasons and wrong calls to `stderr`. @returns the exit code */
export async function runCommand(program: Program, args: string[], terminal: Terminal): Promise<number> {
	const write = (text: string) => terminal.stdout(printable(text));
	const complain = (text: string) => terminal.stderr(printable(text));
	const parser = new Command(terminal.program)
		.description(`${program.purpose}: the same settings as the server, which may run meanwhile. Version ${version}.`)
		.option('--json', 'For programs: JSON instead of text.')
		.option('--local', 'As npm start: without a channel, leads go to the embedded mailbox.')
		.addHelpText('afterAll', `\n${program.operands} Times are UTC.\nExit code: 0 done, 1 not done or not found, 2 wrong call.`)
		.configureHelp({ showGlobalOptions: true })
		.configureOutput({ writeOut: write, writeErr: complain })
		.showHelpAfterError(`Run ${terminal.program} --help to see what there is.`)
		.exitOverride();
	const writeJson = (data: object) => write(`${JSON.stringify(data, null, 2)}\n`);
	let code = 0;
	const call: Call = {
		program: terminal.program,
		settings: () => withMailbox(readSettings(terminal.environment), parser.opts().local === true),
		openStore: async () => await openStore(storePlace(call.settings()), { makes: false }),
		async confirm(question, again) {
			if (!terminal.ask) throw wrongCall(call, 'This needs a confirmation, and there is no terminal to ask for it. Run', again);
			if (!(await terminal.ask(question))) throw new Failure('Nothing was done.');
		},
		print(data, text, done = true) {
			if (parser.opts().json) writeJson(data);
			else write(`${text}\n`);
			if (!done) code = 1;
		},
		write,
	};
	program.describe(parser as Command, call);

	try {
		await parser.parseAsync(args, { from: 'user' });
		return code;
	} catch (error) {
		// Commander prints its other errors.
		if (error instanceof InvalidArgumentError) complain(`${error.message}\n`);
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		if (!(error instanceof Failure || error instanceof SettingsError || error instanceof StoreError)) throw error;
		const reason = error instanceof SettingsError ? `These settings cannot be used:\n${error.message}` : error.message;
		if (parser.opts().json) writeJson({ error: reason });
		else complain(`${reason}\n`);
		return 1;
	}
}

/** Returns the error of a call that commander takes, but that is wrong. @param right the calls that would be right */
export const wrongCall = ({ program }: Call, wish: string, ...right: string[]) =>
	new InvalidArgumentError(`${wish}:\n${right.map((args) => `${program} ${args}`).join('\n')}`);

/** Returns a function for commander that reads an operand, or the value of an option, by a schema. @param fault replaces the schema's */
export const valueBy =
	<Value>(schema: z.ZodType<Value, string>, fault?: ReturnType<typeof mustBe>) =>
	(text: string): Value => {
		const { data, error } = schema.safeParse(text);
		if (error) throw new InvalidArgumentError(`It ${fault?.error ?? error.issues[0]!.message}.`);
		return data as Value;
	};

/** Returns an option whose value a schema reads. @param usual its value if it is not given, as one would type it */
export function optionBy<Flags extends string, Value>(flags: Flags, help: string, by: z.ZodType<Value, string>, usual: string) {
	const read = valueBy(by);
	return new Option(flags, help).argParser(read).default(read(usual), usual);
}

/** Returns the place of the store. @throws {Failure} there is no store */
export function storePlace({ LEAD_STORE: store }: Settings): StorePlace {
	if (store.kind === 'none')
		throw new Failure(
			'LEAD_STORE is none, so neither leads nor API keys are kept.\n' +
				'To keep them, set it, for example LEAD_STORE=sqlite:var/leads.db, and start the server again.',
		);
	if (store.kind === 'sqlite' && !existsSync(store.path))
		throw new Failure(
			`There is no lead store at ${resolve(store.path)}: the server makes it when it starts.\n` +
				'Run this in the folder where the server runs, with the same LEAD_STORE.',
		);
	return store;
}

/** Ctrl+D and Ctrl+C mean no. */
async function ask(question: string): Promise<boolean> {
	const terminal = createInterface({ input: process.stdin, output: process.stderr, prompt: `${question} [y/N] ` });
	terminal.prompt();
	for await (const answer of terminal) return /^y(es)?$/i.test(answer.trim());
	return false;
}
