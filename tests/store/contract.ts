import { expect, test } from 'vitest';
import { openStore, StoreError } from '../../src/store/store.ts';
import { describeDelivering } from './delivering.ts';
import { idsIn, type NewDatabase, saved } from './entries.ts';
import { describeKeeping } from './keeping.ts';

/** Tests the contract of every store. */
export function describeContract(newDatabase: NewDatabase): void {
	describeDelivering(newDatabase);
	describeKeeping(newDatabase);

	test('many that open a new database at once all work, and share one secret', async () => {
		const { place } = await newDatabase();
		const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(place)));
		await Promise.all(stores.map((one) => saved(one)));
		expect(await idsIn(stores[0]!)).toHaveLength(6);
		const secrets = new Set(stores.map(({ secret }) => secret.export().toString('hex')));
		await Promise.all(stores.map((one) => one[Symbol.asyncDispose]()));
		const another = await newDatabase();
		await using elsewhere = await openStore(another.place);
		secrets.add(elsewhere.secret.export().toString('hex'));
		expect([...secrets]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
	});

	test('a command makes no tables, and works on those that are there', async () => {
		const { place } = await newDatabase();
		for (const _ of ['makes none', 'finds none']) await expect(openStore(place, { makes: false })).rejects.toThrow(StoreError);
		await using made = await openStore(place);
		await using found = await openStore(place, { makes: false });
		expect(await idsIn(found)).toEqual(await idsIn(made));
	});

	test.each([
		['of another version', `UPDATE lead_store SET tables = 'other'`, true],
		['of an earlier version', 'CREATE TABLE lead_store (id INTEGER, version INTEGER)'],
		['of another program', 'CREATE TABLE api_keys (id INTEGER)'],
	])('tables %s are refused, and left as they were', async (_, statement, ours = false) => {
		const { place, ask, listing } = await newDatabase();
		if (ours) await (await openStore(place))[Symbol.asyncDispose]();
		await ask(statement);
		const before = await ask(listing);
		const error = await openStore(place).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(StoreError);
		for (const part of ['another version', 'another program', 'LEAD_STORE']) expect(String(error)).toContain(part);
		expect(await ask(listing)).toEqual(before);
	});
}
