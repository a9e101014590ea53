import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { openStore } from '../../../src/lead/store/index.ts';
import { watchQuarantine } from '../../../src/lead/upkeep/quarantine-watch.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { claimAs, quarantined } from '../store/entries.ts';

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
	const watch = watchQuarantine({ store, channels: ['email'], log: pino({ level: 'silent' }), onSaved: () => {} });
	await watch.idle();
	await watch.stop();
	expect(dueBefore).toEqual([]);
	expect(await store.claim(claimAs())).toMatchObject([{ kind: 'notice' }]);
});
