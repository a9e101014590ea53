import type { Terminal } from '../command.ts';
import type { OnStore } from '../on-store.ts';
import type { Channel } from '../../lead/channels/channel.ts';
import type { StoreSetting } from '../../lead/store/index.ts';
import type { EntryState } from '../../lead/store/store.ts';

/** The settings for leads, as the server reads them. */
export interface LeadSettings {
	store: StoreSetting;
	channels: Channel[];
	/** The language of the sales team, and its time zone. */
	language: string;
	timeZone: string;
}

/** The arguments of a command. */
export interface Arguments {
	/** An id, an address or a file. */
	operand?: string | undefined;
	/** Ids. */
	operands?: string[] | undefined;
	values: Partial<{ state: EntryState; source: string; limit: string; before: string; since: string; by: string }> &
		Partial<Record<'long' | 'parked' | 'list' | 'csv' | 'yes' | 'crm', true>>;
}

export type CommandContext = Terminal & LeadSettings & Arguments;

export type StoreContext = CommandContext & OnStore;
