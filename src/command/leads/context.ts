import type { Terminal } from '../command.ts';
import type { OnStore } from '../on-store.ts';
import type { Channel } from '../../lead/channels/channel.ts';
import type { StoreSetting } from '../../lead/store/index.ts';
import type { EntryState } from '../../lead/store/store.ts';

/** What a deployment does with leads, as the server has it. */
export interface LeadSettings {
	store: StoreSetting;
	channels: Channel[];
	/** The way to confirm to visitors; undefined where they get no confirmation. */
	visitorMail: Channel | undefined;
	/** How long a delivered lead is kept, in seconds. */
	retention: number;
	/** In which the sales team reads of leads. */
	language: string;
}

/** The arguments of a command. */
export interface Arguments {
	/** An id, an address or a file. */
	operand?: string | undefined;
	values: Partial<{ state: EntryState; source: string; limit: string; before: string }> &
		Partial<Record<'long' | 'parked' | 'csv' | 'yes' | 'json', true>>;
}

export type CommandContext = Terminal & LeadSettings & Arguments;

export type StoreContext = CommandContext & OnStore;
