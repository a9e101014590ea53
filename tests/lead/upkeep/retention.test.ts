import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { startRetention } from '../../../src/lead/upkeep/retention.ts';
import { openStore } from '../../../src/lead/store/index.ts';
import { type LeadStore, StoreError } from '../../../src/lead/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('what could not be taken out of the files since the store failed is taken out at the next turn', async () => {
	await using folder = await temporaryFolder();
	await using store = await openStore({ kind: 'sqlite', path: `${folder.path}/leads.db` });
	const scrub = vi.fn<LeadStore['scrub']>(() => store.scrub());
	const failing: LeadStore = Object.assign(Object.create(store) as LeadStore, { scrub, purge: () => purges.shift()!() });
	const nothing = () => Promise.resolve({ entries: 0, done: true });
	const purges = [
		nothing,
		() => Promise.resolve({ entries: 100, done: false }),
		() => Promise.reject(new StoreError('The lead store failed.')),
		nothing,
	];
	const { nudge, idle, stop } = startRetention({ store: failing, retention: 0, scrubs: true, log: pino({ level: 'silent' }) });
	await idle();
	expect(scrub).toHaveBeenCalledTimes(1);
	nudge();
	await idle();
	nudge();
	await idle();
	expect(scrub).toHaveBeenCalledTimes(2);
	await stop();
});
