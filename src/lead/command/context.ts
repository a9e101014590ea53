import type { Channel } from '../channels/channel.ts';
import type { StoreSetting } from '../store/index.ts';
import type { LeadStore } from '../store/store.ts';
import type { Values } from './options.ts';

/** What a deployment does with leads, as the server has it. */
export interface LeadSettings {
	store: StoreSetting;
	channels: Channel[];
	/** The way to confirm to visitors; undefined where they get no confirmation. */
	visitorMail: Channel | undefined;
	/** How long a delivered lead is kept, in seconds. */
	retention: number;
}

/** What a command is given. */
export interface CommandContext extends LeadSettings {
	/** How it was called, for what it tells the operator to run: `npm run leads --`. */
	program: string;
	values: Values;
	/** What stands behind the command's name: an id, an address. */
	operand: string | undefined;
	stdout: (text: string) => void;
	/** Asks the operator; undefined: there is nobody to ask. */
	confirm: ((question: string) => Promise<boolean>) | undefined;
}

export interface StoreContext extends CommandContext {
	/** Open while the command runs. */
	leads: LeadStore;
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
