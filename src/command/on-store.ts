import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openExistingStore, type StoreSetting } from '../lead/store/index.ts';
import type { LeadStore } from '../lead/store/store.ts';
import { failure, type Report, type Terminal } from './command.ts';

/** The settings that a command needs to find the store. */
export interface StoreNeeds extends Pick<Terminal, 'program'> {
	store: StoreSetting;
}

/** An open store with its settings. */
export interface OnStore {
	/** Open while the command runs. */
	leads: LeadStore;
}

/**
 * Wraps commands that work on the store: opens it before and closes it after. The server may have it open at the same time.
 *
 * @param without the message if the settings have no store
 */
export const onStore =
	(without: (program: string) => string) =>
	<Context extends StoreNeeds>(work: (context: Context & OnStore) => Promise<Report>) =>
	async (context: Context): Promise<Report> => {
		const { store, program } = context;
		if (store.kind === 'none') return failure(without(program));
		if (store.kind === 'sqlite' && !existsSync(store.path)) return failure(noStoreAt(resolve(store.path)));
		await using leads = await openExistingStore(store);
		return await work({ ...context, leads });
	};

/** The message if there is no SQLite file yet. */
export const noStoreAt = (file: string) =>
	`There is no lead store at ${file}: the server makes it when it starts.\n` +
	'Run this in the folder where the server runs, with the same LEAD_STORE.';
