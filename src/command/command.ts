import { type Command, Option } from '@commander-js/extra-typings';
import type { Settings } from '../server/settings/settings.ts';

/** A program for operators. `Needs` is the part of the settings that its commands read. */
export interface Program<Needs> {
	/** The npm script that runs it. */
	script: string;
	/** Its purpose, for the help: `Looks after leads`. */
	purpose: string;
	/** The meaning of `--local`, for the help. */
	local: string;
	/** Sentences about operands, for the help. */
	operands: string;
	needs: (settings: Settings) => Needs;
	/** Adds the commands with their options. Each hands its work to `run`, with the arguments that were typed. */
	describe: (program: Command, run: Run<Needs>) => void;
}

/** Runs the work of a command and prints its report. */
type Run<Needs> = <Typed extends { values: object }>(
	work: (context: Terminal & Needs & Typed) => Promise<Report>,
	typed: Typed,
) => Promise<void>;

/** Where a command runs. */
export interface Terminal {
	/** The command line of the program, for advice to the operator: `npm run leads --`. */
	program: string;
	stdout: (text: string) => void;
	stderr: (text: string) => void;
	/** Asks the operator; undefined where nobody can answer. */
	confirm: ((question: string) => Promise<boolean>) | undefined;
	/** Reads a line of standard input, trimmed; '' at its end. Asks for it at a terminal. */
	ask: (question: string) => Promise<string>;
}

/** The result of a command. */
export interface Report {
	/** True if the command did its work. */
	done: boolean;
	/** For people. If the command failed: the reason, and what to do. */
	text: string;
	/** For programs, as JSON: a result, even a bad one. Without it they get the text as `error`, and people get it on `stderr`. */
	data?: unknown;
}

/** Reports that the command could not do its work. The message says why, and what to do. */
export const failure = (text: string): Report => ({ done: false, text });

/** The command was called in a wrong way. The message says which way is right. */
export class ArgumentError extends Error {
	override name = 'ArgumentError';
}

/** For commands that ask. */
export const yesOption = new Option('--yes', 'Do not ask.');
