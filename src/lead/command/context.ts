import type { Call } from '../../command/command.ts';
import type { OnStore } from '../../command/on-store.ts';
import type { Channel } from '../channels/channel.ts';
import type { StoreSetting } from '../store/index.ts';
import type { options } from './options.ts';

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

/** What a command is given. */
export type CommandContext = Call<typeof options> & LeadSettings;

export type StoreContext = CommandContext & OnStore;
