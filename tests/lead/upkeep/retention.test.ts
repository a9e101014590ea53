import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { startRetention } from '../../../src/lead/upkeep/retention.ts';
import { openStore } from '../../../src/lead/store/index.ts';
import { type LeadStore, StoreError } from '../../../src/lead/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Purge = LeadStore['purge'];
const nothing: Purge = () => Promise.resolve({ aged: 0, excess: 0, done: true });
const some =
	(aged: number, done = true): Purge =>
	() =>
		Promise.resolve({ aged, excess: 0, done });
const failure: Purge = () => Promise.reject(new StoreError('The lead store failed.'));

/** Starts retention over a store with these results of its purges, one after the other. */
async function startRetaining(purges: Purge[], settings: { scrubs?: boolean; scrubbed?: boolean[] } = {}) {
	const { scrubs = true, scrubbed = [] } = settings;
	const folder = await temporaryFolder();
	const store = await openStore({ kind: 'sqlite', path: `${folder.path}/leads.db` });
	const scrub = vi.fn<LeadStore['scrub']>(async () => scrubbed.shift() ?? store.scrub());
	const purge: Purge = (limits) => (purges.shift() ?? nothing)(limits);
	const lines: { msg: string }[] = [];
	const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line) as { msg: string }) });
	const retaining: LeadStore = Object.assign(Object.create(store) as LeadStore, { scrub, purge });
	const { nudge, idle, stop } = startRetention({ store: retaining, retention: 0, scrubs, log: logger });
	await idle();
	return {
		scrub,
		lines,
		get log() {
			return lines.map(({ msg }) => msg.split(':', 1)[0]!);
		},
		async turn() {
			nudge();
			await idle();
		},
		async [Symbol.asyncDispose]() {
			await stop();
			await store[Symbol.asyncDispose]();
			await folder[Symbol.asyncDispose]();
		},
	};
}

const deleted = 'Entries and API keys were deleted';

test('what could not be taken out of the files since the store failed is taken out at the next turn, once', async () => {
	await using retaining = await startRetaining([nothing, some(100, false), failure]);
	expect(retaining.scrub).toHaveBeenCalledTimes(1);
	await retaining.turn();
	expect(retaining.log).toEqual([deleted, 'The store cannot purge. It is tried again within the hour.']);
	expect(retaining.scrub).toHaveBeenCalledTimes(1);
	for (const _ of ['the next', 'and one more']) await retaining.turn();
	expect(retaining.scrub).toHaveBeenCalledTimes(2);
});

test('what another program keeps in the files is taken out at a later turn, and the log says so until then', async () => {
	await using retaining = await startRetaining([some(1), nothing], { scrubbed: [false, false] });
	const left = 'What was deleted is still in the files of the store';
	expect(retaining.log).toEqual([deleted, left]);
	for (const _ of ['in vain', 'done', 'nothing to do']) await retaining.turn();
	expect(retaining.log).toEqual([deleted, left, left]);
	expect(retaining.scrub).toHaveBeenCalledTimes(3);
});

test('files that are the database’s own are left to it', async () => {
	await using retaining = await startRetaining([some(1), failure, some(2)], { scrubs: false });
	for (const _ of ['fails', 'deletes']) await retaining.turn();
	expect(retaining.log).toEqual([deleted, expect.stringContaining('cannot purge'), deleted]);
	expect(retaining.scrub).not.toHaveBeenCalled();
});

test('the log warns of what went because quarantine held too many', async () => {
	await using retaining = await startRetaining([() => Promise.resolve({ aged: 0, excess: 2, done: true })]);
	expect(retaining.lines).toMatchObject([{ level: 40, purged: 2 }]);
});
