import { describe, test } from 'vitest';
import { openStore, type StorePlace } from '../../src/store/store.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectAlive, expectKept, restoreKept } from './kept.ts';

/** Opens a kept store as this version does: twice, since only the first time brings it forward. */
async function expectOpens(place: StorePlace): Promise<void> {
	await restoreKept(place);
	for (const _ of ['brought forward', 'as it is']) {
		await using store = await openStore(place);
		await expectKept(store, place.kind);
	}
	await using store = await openStore(place);
	await expectAlive(store);
}

describe('A store of the first version is opened with all that it holds, and works on,', () => {
	test('in SQLite', async () => {
		await using folder = await temporaryFolder();
		await expectOpens({ kind: 'sqlite', path: `${folder.path}/leads.db` });
	});

	test.skipIf(postgresMissing)('in PostgreSQL', async () => {
		await using postgres = await startPostgres();
		await expectOpens({ kind: 'postgres', url: await postgres.createDatabase() });
	});
});
