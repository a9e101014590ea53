import type { LeadStore } from '../store/store.ts';
import type { CommandOptions, LeadSettings } from './command.ts';
import type { Values } from './options.ts';

/** What came of a command. */
export interface Report {
	/** Whether what was asked for is done. */
	done: boolean;
	/** For people; if it is not done: what stands in the way, and what to do. */
	text: string;
	/** For programs, as JSON: a result, if a bad one. Without it they get the text as `error`, and people on `stderr`. */
	data?: unknown;
}

/** What a command was given. */
export interface CommandContext extends Pick<CommandOptions, 'program' | 'confirm' | 'stdout'>, LeadSettings {
	values: Values;
	/** What stands behind the command's name: an id, an address. */
	operand: string | undefined;
}

export interface StoreContext extends CommandContext {
	/** Open while the command runs. */
	leads: LeadStore;
}

/** What was asked for is not done: why, and what to do. */
export const failed = (text: string): Report => ({ done: false, text });

/**
 * Text for a terminal, which would obey control characters: escape sequences among them. They are taken out of leads as they come
 * in; this holds for whatever else may be printed.
 */
export const printable = (text: string): string => text.replaceAll(/\r(?!\n)|[^\P{Cc}\n\r\t]/gu, '\uFFFD');
