import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openStore } from '../store/index.ts';
import type { LeadStore, StoredEntry } from '../store/store.ts';
import { type CommandContext, failed, type Report, type StoreContext } from './context.ts';

/** A command that works on the store: it is opened before and closed after. The server may have it open at the same time. */
export function onStore(work: (context: StoreContext) => Promise<Report>) {
	return async (context: CommandContext): Promise<Report> => {
		const { store, program } = context;
		if (store.kind === 'none') return failed(nothingKept(program));
		if (store.kind === 'sqlite' && !existsSync(store.path)) return failed(noStoreAt(resolve(store.path)));
		await using leads = await openStore(store);
		return await work({ ...context, leads });
	};
}

const nothingKept = (program: string) =>
	'LEAD_STORE is none: each lead is delivered within its request, and nothing is kept that could be listed, retried or erased.\n' +
	`What works is ${program} test. To keep leads until they are delivered, set LEAD_STORE and start the server again.`;

const noStoreAt = (file: string) =>
	`There is no lead store at ${file}: the server makes it when it starts.\n` +
	'Run this in the folder where the server runs, with the same LEAD_STORE.';

/** What ids are written with. */
const idForm = /^[\da-f-]+$/;

/** The entry whose id begins or ends so; or why there is none, or not one. */
export async function findEntry(leads: LeadStore, part: string): Promise<StoredEntry | string> {
	const wanted = part.toLowerCase();
	const [found, another] = idForm.test(wanted) ? await leads.find(wanted) : [];
	if (found === undefined)
		return `There is no entry ${part}. It may have been purged or erased. Of the end of an id, write eight characters or more.`;
	return another === undefined ? found : `More than one entry has an id with ${part}. Write more of the id.`;
}
