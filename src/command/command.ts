import type { Settings } from '../server/settings/settings.ts';
import type { Options, Values } from './options.ts';

/** A program for operators: a table of commands, and what they need. `Needs` is what they read of the settings. */
export interface Program<Table extends Options, Needs> {
	/** The npm script that runs it. */
	script: string;
	/** What it is for, for the help: `Looks after leads`. */
	purpose: string;
	/** In the order of the help; one that is called {@link ONLY} stands alone, and is called without a name. */
	commands: Record<string, Command<Table, Needs>>;
	/** All that some command takes. */
	options: Table;
	/** What `--local` means here, for the help. */
	local: string;
	/** What the help says of the operands. */
	operands: string;
	needs: (settings: Settings) => Needs;
}

/** The name of the command of a program that has no other. */
export const ONLY = '';

/** What an operator can ask for. */
export interface Command<Table extends Options, Needs> {
	/** What stands behind its name: `ID`. */
	operand?: string;
	/** Whether it works without the operand. */
	operandOptional?: boolean;
	/** For the help, in the place of operand and options where these depend on each other. */
	usage?: string;
	options: readonly (keyof Table & string)[];
	/** One line for the help. */
	summary: string;
	run: (context: Call<Table> & Needs) => Promise<Report>;
}

/** How a command was called. */
export interface Call<Table extends Options> extends Terminal {
	values: Values<Table>;
	/** What stands behind the command's name: an id, an address. */
	operand: string | undefined;
}

/** Where a command runs. */
export interface Terminal {
	/** How it was called, for what it tells the operator to run: `npm run leads --`. */
	program: string;
	stdout: (text: string) => void;
	stderr: (text: string) => void;
	/** Says what is being done, in a line that the next one replaces; '' takes it away. Nothing where nobody looks on. */
	progress: (text: string) => void;
	/** Asks the operator; undefined: there is nobody to ask. */
	confirm: ((question: string) => Promise<boolean>) | undefined;
	/** A line of standard input, without what stands around it; '' where there is none. Somebody at a terminal is asked for it. */
	ask: (question: string) => Promise<string>;
}

/** What came of a command. */
export interface Report {
	/** Whether what was asked for is done. */
	done: boolean;
	/** For people; if it is not done: what stands in the way, and what to do. */
	text: string;
	/** For programs, as JSON: a result, even a bad one. Without it they get the text as `error`, and people get it on `stderr`. */
	data?: unknown;
}

/** What was asked for is not done: why, and what to do. */
export const failed = (text: string): Report => ({ done: false, text });

/** The command was called in a wrong way. The message says which way is right. */
export class ArgumentError extends Error {
	override name = 'ArgumentError';
}
