import type { Terminal } from '../command.ts';
import { type OnStore, onStore } from '../on-store.ts';
import type { StoreSetting } from '../../lead/store/index.ts';
import type { KeyMail } from './reply.ts';

export interface KeySettings {
	/** The lead store, which holds the keys. */
	store: StoreSetting;
	/** Undefined without a mail server. */
	mail: KeyMail | undefined;
}

/** The arguments of a command. */
interface Arguments {
	/** The id of a key. */
	operand?: string | undefined;
	values: Partial<Record<'for' | 'name' | 'email' | 'scopes' | 'limit' | 'expires' | 'overlap', string>> &
		Partial<Record<'test' | 'send' | 'yes', true>>;
}

export type CommandContext = Terminal & KeySettings & Arguments;

export type KeyContext = CommandContext & OnStore;

/** Wraps a command that works on the keys of the store. */
export const onKeys = onStore(
	() =>
		'LEAD_STORE is none, so there are no API keys, which are kept in the lead store: to issue some, set it, for example LEAD_STORE=sqlite:var/leads.db.',
);
