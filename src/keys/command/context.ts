import type { Call } from '../../command/command.ts';
import type { OnStore } from '../../command/on-store.ts';
import type { StoreSetting } from '../../lead/store/index.ts';
import type { KeyMail } from '../key-mail.ts';
import type { options } from './options.ts';

export interface KeySettings {
	/** The lead store: keys lie there. */
	store: StoreSetting;
	/** Undefined: there is no mail server. */
	mail: KeyMail | undefined;
}

/** What a command is given. */
export type CommandContext = Call<typeof options> & KeySettings;

export type KeyContext = CommandContext & OnStore;
