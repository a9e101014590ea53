import { describe, expect, test } from 'vitest';
import { steps, versionOf } from '../../src/store/schema.ts';
import { openStore, type StorePlace } from '../../src/store/store.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { saved } from './entries.ts';
import { expectAlive, expectKept, restoreKept } from './kept.ts';

const inFile = async (stack: AsyncDisposableStack): Promise<StorePlace> => ({
	kind: 'sqlite',
	path: `${stack.use(await temporaryFolder()).path}/leads.db`,
});
const inPostgres = async (stack: AsyncDisposableStack): Promise<StorePlace> => ({
	kind: 'postgres',
	url: await stack.use(await startPostgres()).createDatabase(),
});

describe.each([
	['SQLite', undefined, inFile],
	['PostgreSQL', postgresMissing, inPostgres],
])('A store of the first version in %s', (_, missing, startPlace) => {
	test.skipIf(missing)('is opened with all that it holds, and works on', async () => {
		await using stack = new AsyncDisposableStack();
		const place = await startPlace(stack);
		await restoreKept(place);
		// Only the first time brings it forward.
		for (const _ of ['brought forward', 'as it is']) {
			await using store = await openStore(place);
			await expectKept(store, place.kind);
		}
		await using store = await openStore(place);
		await expectAlive(store);
	});

	test.skipIf(missing)('where several entries shared a key has one for each', async () => {
		await using stack = new AsyncDisposableStack();
		const place = await startPlace(stack);
		const shares = 'UPDATE lead_entries SET key_slot = (SELECT min(key_slot) FROM lead_entries) WHERE key_slot IS NOT NULL';
		await restoreKept(place, shares, 'UPDATE lead_keys SET free = 1');
		const [one, other] = (await Promise.all([openStore(place), openStore(place)])).map((store) => stack.use(store));
		await saved(other!);
		// Its owner and the new one.
		expect((await one!.list({ limit: 99 })).filter(({ payload }) => payload !== '{}')).toHaveLength(2);
		expect(await one!.keys.list()).toMatchObject([{ owner: { email: 'ana@clinicasol.example' } }]);
	});
});

test('no step is changed that was published: a store that has taken it does not take it again', () => {
	const published = ['C5Lbx5', 'XD7UvN', 'nb2yvI', 'QHPY3y', 'piRGYt'];
	const statements = steps.map((step) => step.flatMap((part) => (typeof part === 'string' ? part : Object.entries(part).flat())));
	expect(statements.map((step) => versionOf(step).slice(0, 6))).toEqual(published);
});
