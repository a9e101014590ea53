import { describe, expect, test } from 'vitest';
import { steps, versionOf } from '../../src/store/schema.ts';
import { openStore, type StorePlace } from '../../src/store/store.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { saved } from './entries.ts';
import { expectAlive, expectKept, restoreKept } from './kept.ts';

async function restoredIn(kind: StorePlace['kind'], stack: AsyncDisposableStack, ...statements: string[]): Promise<StorePlace> {
	const inFile = async () => `${stack.use(await temporaryFolder()).path}/leads.db`;
	const inPostgres = async () => stack.use(await startPostgres()).createDatabase();
	const place = kind === 'sqlite' ? { kind, path: await inFile() } : { kind, url: await inPostgres() };
	await restoreKept(place, ...statements);
	return place;
}

describe.each([
	['sqlite', undefined],
	['postgres', postgresMissing],
] as const)('A store of the first version in %s', (kind, missing) => {
	test.skipIf(missing)('is opened with all that it holds, and works on', async () => {
		await using stack = new AsyncDisposableStack();
		const place = await restoredIn(kind, stack);
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
		const shares = 'UPDATE lead_entries SET key_slot = (SELECT min(key_slot) FROM lead_entries) WHERE key_slot IS NOT NULL';
		const place = await restoredIn(kind, stack, shares, 'UPDATE lead_keys SET free = 1');
		const [one, other] = (await Promise.all([openStore(place), openStore(place)])).map((store) => stack.use(store));
		await saved(other!);
		// Its owner and the new one.
		expect((await one!.list({ limit: 99 })).filter(({ payload }) => payload !== '{}')).toHaveLength(2);
		expect(await one!.keys.list()).toMatchObject([{ owner: { email: 'ana@clinicasol.example' } }]);
	});
});

test('no step is changed that was published: a store that has taken it does not take it again', () => {
	const published = ['C5Lbx5', 'XD7UvN', 'nb2yvI', 'QHPY3y', 'piRGYt', '-W23-F'];
	const statements = steps.map((step) => step.flatMap((part) => (typeof part === 'string' ? part : Object.entries(part).flat())));
	expect(statements.map((step) => versionOf(step).slice(0, 6))).toEqual(published);
});
