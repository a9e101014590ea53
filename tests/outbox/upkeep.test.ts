import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { openOutbox } from '../../src/outbox/outbox.ts';
import { purging, tellOfQuarantine } from '../../src/outbox/upkeep.ts';
import { type LeadStore, openStore, StoreError } from '../../src/store/store.ts';
import { team } from '../support/lead.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { claimAs, quarantined } from '../store/entries.ts';

type Purge = LeadStore['purge'];
/** A step that deletes so many entries of each kind. */
const step =
	(aged: number, excess = 0, done = true): Purge =>
	() =>
		Promise.resolve({ aged, excess, done });
const failure: Purge = () => Promise.reject(new StoreError('The lead store failed.'));
const silent = pino({ level: 'silent' });

/** Returns what purges with these results of its steps, over files that are scrubbed or not. */
function purger(purges: Purge[], { scrubs = true, scrubbed = [] as boolean[] } = {}) {
	const scrub = vi.fn(() => Promise.resolve(scrubbed.shift() ?? true));
	const purge: Purge = (limits) => (purges.shift() ?? step(0))(limits);
	const lines: { msg: string }[] = [];
	const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as { msg: string }) });
	const run = purging({ scrub, purge } as Partial<LeadStore> as LeadStore, { retention: 0, scrubs }, log);
	return { run, scrub, lines, log: () => lines.map(({ msg }) => msg.split(/[.:]/, 1)[0]!) };
}

const deleted = 'Entries and API keys were deleted';
const left = 'What was deleted is still in the files of the store';

test.each([
	[
		'at the next run since the store failed',
		[step(0), step(100, 0, false), failure],
		{},
		[1, 1, 2, 2],
		['The store cannot purge', deleted],
	],
	[
		'at a later run, since another program keeps it',
		[step(1)],
		{ scrubbed: [false, false] },
		[1, 2, 3, 3],
		[left, deleted, left],
	],
	[
		'never from files that are the database’s own',
		[step(1), failure],
		{ scrubs: false },
		[0, 0],
		[deleted, 'The store cannot purge'],
	],
])('what was deleted is taken out of the files %s', async (...row) => {
	const [, purges, options, scrubs, logged] = row;
	const { run, scrub, log } = purger([...purges], options);
	for (const times of scrubs) {
		await run();
		expect(scrub).toHaveBeenCalledTimes(times);
	}
	expect(log()).toEqual(logged);
});

test('the log warns of what went because quarantine held too many', async () => {
	const { run, lines } = purger([step(0, 2)]);
	await run();
	expect(lines).toMatchObject([{ level: 40, purged: 2 }]);
});

test('an outbox purges at once if it is fresh, and whenever something is put into quarantine', async () => {
	await using folder = await temporaryFolder();
	await using store = await openStore({ kind: 'sqlite', path: `${folder.path}/leads.db` });
	const purge = vi.spyOn(store, 'purge');
	for (const [fresh, purges] of [
		[true, 1],
		[false, 0],
	] as const) {
		purge.mockClear();
		const options = { channels: [], schedule: [], retention: 9, team, scrubs: true };
		const outbox = await openOutbox({ ...options, store, fresh, log: silent });
		expect(purge).toHaveBeenCalledTimes(purges);
		outbox.quarantined();
		await outbox.stop();
		expect(purge).toHaveBeenCalledTimes(purges + 1);
	}
});

test('no notice is due before the store knows whom it covers', async () => {
	await using folder = await temporaryFolder();
	await using store = await openStore({ kind: 'sqlite', path: `${folder.path}/leads.db` });
	await store.insert(quarantined('releasable'));
	let dueBefore: unknown[] | undefined;
	const announce = store.announce.bind(store);
	vi.spyOn(store, 'announce').mockImplementation(async (notice) => {
		dueBefore = await store.claim(claimAs());
		await announce(notice);
	});
	expect(await tellOfQuarantine(store, ['email'], silent)).toBe(true);
	expect(dueBefore).toEqual([]);
	expect(await store.claim(claimAs())).toMatchObject([{ kind: 'notice' }]);
});
