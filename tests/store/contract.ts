import { describe, expect, test } from 'vitest';
import { openStore, StoreError } from '../../src/store/store.ts';
import { askIn } from './ask.ts';
import { describeDeleting } from './deleting.ts';
import { describeDelivering } from './delivering.ts';
import { idsIn, saved } from './entries.ts';
import { describeJudging } from './judging.ts';
import { describeLooking } from './looking.ts';
import { type NewPlace, openForEach } from './opened.ts';

/** Statements that list what is there. */
const listings = {
	sqlite: 'SELECT name, journal_mode FROM sqlite_schema, pragma_journal_mode',
	postgres: `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname`,
};

export function describeContract(newPlace: NewPlace): void {
	describe('that two instances have open,', () => {
		openForEach(newPlace);
		describeDelivering();
		describeJudging();
		describeLooking();
		describeDeleting();
	});

	test('many that open a new database at once all work, and share one secret', async () => {
		const place = await newPlace();
		const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(place)));
		await Promise.all(stores.map((one) => saved(one)));
		expect(await idsIn(stores[0]!)).toHaveLength(6);
		const secrets = new Set(stores.map(({ secret }) => secret.export().toString('hex')));
		await Promise.all(stores.map((one) => one[Symbol.asyncDispose]()));
		await using elsewhere = await openStore(await newPlace());
		secrets.add(elsewhere.secret.export().toString('hex'));
		expect([...secrets]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
	});

	test('a command makes no tables, and works on those that are there', async () => {
		const place = await newPlace();
		for (const _ of ['makes none', 'finds none']) await expect(openStore(place, { makes: false })).rejects.toThrow(StoreError);
		await using made = await openStore(place);
		await using found = await openStore(place, { makes: false });
		expect(await idsIn(found)).toEqual(await idsIn(made));
	});

	test('a process whose tables were made anew saves nothing in them, and says so', async () => {
		const place = await newPlace();
		await using store = await openStore(place);
		await saved(store);
		await askIn(place, `UPDATE lead_store SET secret = (SELECT key FROM lead_keys LIMIT 1)`);
		await expect(saved(store)).rejects.toThrow('Start it again');
		await using again = await openStore(place);
		await saved(again);
		expect(await idsIn(again)).toHaveLength(2);
	});

	test('a store of a later version is refused with its number', async () => {
		const place = await newPlace();
		await (await openStore(place))[Symbol.asyncDispose]();
		await askIn(place, 'UPDATE lead_store SET steps = 99');
		await expect(openStore(place)).rejects.toThrow('99');
	});

	test.each([
		['of another version', `UPDATE lead_store SET tables = 'other'`, true],
		['of an earlier version', 'CREATE TABLE lead_store (id INTEGER, version INTEGER)'],
		['of another program', 'CREATE TABLE api_keys (id INTEGER)'],
	])('tables %s are refused, and left as they were', async (_, statement, ours = false) => {
		const place = await newPlace();
		if (ours) await (await openStore(place))[Symbol.asyncDispose]();
		await askIn(place, statement);
		const before = await askIn(place, listings[place.kind]);
		const error = await openStore(place).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(StoreError);
		for (const part of ['another version', 'another program', 'LEAD_STORE']) expect(String(error)).toContain(part);
		expect(await askIn(place, listings[place.kind])).toEqual(before);
	});
}
