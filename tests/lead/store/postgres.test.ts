import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../../src/lead/store/index.ts';
import { StoreError } from '../../../src/lead/store/store.ts';
import { postgresMissing, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { startPostgresRelay } from '../../support/postgres-relay.ts';
import { describeContract } from './contract.ts';
import { newApiKey } from '../../support/api-key.ts';
import { claimAs, idsIn, newEntry, newOnce, saved, timeTravel } from './entries.ts';

const openAt = (url: string) => openStore({ kind: 'postgres', url });

describe.skipIf(postgresMissing)(postgresMissing ?? 'The store in PostgreSQL', () => {
	let postgres: TestPostgres;
	let url: string;
	beforeAll(async () => {
		postgres = await startPostgres();
		url = await postgres.createDatabase();
	});
	beforeEach(() => empty(url));
	afterAll(() => postgres?.[Symbol.asyncDispose]());

	describeContract(async () => {
		await empty(url);
		return {
			open: () => openAt(url),
			async pass(time) {
				await using client = await connectedTo(url);
				for (const statement of timeTravel) await client.query(statement.replaceAll(':time', String(time)));
			},
		};
	});

	test('a key that one instance is saving is in flight for the other', async () => {
		await using first = await openAt(url);
		await using second = await openAt(url);
		const [entry, once] = [newEntry(), newOnce()];
		await using blocker = await connectedTo(url);
		await blocker.query(`BEGIN; INSERT INTO lead_entries VALUES ('${entry.id}', 'lead', 0, null, '', 'delivered')`);
		const insertion = first.insert({ ...entry, once });
		await vi.waitUntil(async () => (await blocker.query(`SELECT FROM pg_locks WHERE locktype = 'advisory'`)).rowCount, {
			interval: 5,
		});
		expect(await second.insert(newEntry({ once }))).toBe('in-flight');
		await blocker.query('ROLLBACK');
		expect(await insertion).toBe('inserted');
		expect(await second.insert(newEntry({ once }))).toBe('duplicate');
	});

	test('rejects while the server is down, and recovers when it is back', async ({ skip }) => {
		const { control } = postgres;
		if (!control) return skip('The server of TEST_POSTGRES_URL cannot be stopped.');
		await using store = await openAt(url);
		const id = await saved(store);
		await control.stop();
		for (const failure of [store.insert(newEntry()), store.claim(claimAs())]) await expect(failure).rejects.toThrow(StoreError);
		await control.start();
		expect(await store.claim(claimAs())).toMatchObject([{ id }]);
	});

	test('every entry that was saved while the server restarted is there', async ({ skip }) => {
		const { control } = postgres;
		if (!control) return skip('The server of TEST_POSTGRES_URL cannot be stopped.');
		await using store = await openAt(url);
		const accepted: string[] = [];
		let refused = 0;
		let restarted = false;
		const sender = async () => {
			for (let after = 0; after < 5; after += restarted ? 1 : 0) {
				const entry = newEntry();
				await store.insert(entry).then(
					() => accepted.push(entry.id),
					() => (refused += 1),
				);
			}
		};
		const senders = Array.from({ length: 10 }, sender);
		await control.stop();
		await control.start();
		restarted = true;
		await Promise.all(senders);
		expect(refused).toBeGreaterThan(0);
		expect(accepted.length).toBeGreaterThan(20);
		expect(await idsIn(store)).toEqual(expect.arrayContaining(accepted));
	});

	test('a database that would lose commits in a crash is refused', async () => {
		const careless = new URL(url);
		careless.searchParams.set('options', '-c synchronous_commit=off');
		await expect(openAt(careless.href)).rejects.toThrow('synchronous_commit = off');
	});

	test('of what was deleted nothing is left in the files of the tables once it is scrubbed', async ({ skip }) => {
		await using client = await connectedTo(url);
		const { rows } = await client.query<{ file: string }>(`SELECT current_setting('data_directory') AS file`);
		await using store = await openAt(url);
		if (!existsSync(rows[0]!.file)) return skip('The files of the server of TEST_POSTGRES_URL are elsewhere.');
		const bytes = async () => {
			await client.query('CHECKPOINT');
			const tables = await client.query<{ path: string }>(
				`SELECT pg_relation_filepath(name) AS path FROM unnest(ARRAY['lead_entries', 'api_keys']) AS name`,
			);
			return tables.rows.map(({ path }) => readFileSync(join(rows[0]!.file, path), 'latin1'));
		};
		await saved(store, { email: 'eva@clinic.example', payload: '{"name":"Unforgettable"}' });
		await store.keys.insert(newApiKey({ email: 'eva@clinic.example', name: 'Unforgettable' }));
		const bystander = await saved(store);
		for (const table of await bytes()) expect(table).toContain('Unforgettable');
		await store.erase('eva@clinic.example');
		expect(await store.scrub()).toBe(true);
		for (const table of await bytes()) expect(table).not.toMatch(/Unforgettable|eva@clinic/);
		expect(await idsIn(store)).toEqual([bystander]);
	});

	test('what an open transaction could still see is said to be left, whatever table it reads', { timeout: 30_000 }, async () => {
		await using store = await openAt(url);
		await saved(store, { email: 'eva@clinic.example' });
		await using reader = await connectedTo(url);
		await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM lead_store');
		await store.erase('eva@clinic.example');
		expect(await store.scrub()).toBe(false);
		await reader.query('ROLLBACK');
		expect(await store.scrub()).toBe(true);
	});

	test('what its user may not write anew is said to be left', { timeout: 30_000 }, async () => {
		await (await openAt(url))[Symbol.asyncDispose]();
		await using client = await connectedTo(url);
		await client.query(
			`CREATE ROLE ${guest} LOGIN; GRANT USAGE ON SCHEMA public TO ${guest}; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${guest}`,
		);
		onTestFinished(() => dropRole(url, guest));
		const asGuest = new URL(url);
		asGuest.username = guest;
		await using store = await openAt(asGuest.href);
		await saved(store, { email: 'eva@clinic.example' });
		expect(await store.erase('eva@clinic.example')).toEqual({ entries: 1, keys: 0 });
		expect(await store.scrub()).toBe(false);
	});

	test('what cannot be scrubbed, since somebody uses the table, is said to be left', { timeout: 30_000 }, async () => {
		await using store = await openAt(url);
		await saved(store);
		await using reader = await connectedTo(url);
		await reader.query('BEGIN; SELECT FROM lead_entries');
		expect(await store.scrub()).toBe(false);
		await reader.query('ROLLBACK');
		expect(await store.scrub()).toBe(true);
	});

	test('a network that is cut while the tables are written anew is not the end of it', async () => {
		await using relay = await startPostgresRelay(url);
		await using store = await openAt(relay.url);
		await saved(store);
		await using reader = await connectedTo(url);
		await reader.query('BEGIN; SELECT FROM lead_entries');
		const scrubbed = store.scrub();
		await untilWaiting(url, 'VACUUM%');
		relay.cut();
		await reader.query('ROLLBACK');
		expect(await scrubbed).toBe(true);
	});

	test('a network that is cut while the tables are made is why the store cannot be opened', async () => {
		await (await openAt(url))[Symbol.asyncDispose]();
		await using relay = await startPostgresRelay(url);
		await using other = await connectedTo(url);
		await other.query('BEGIN; LOCK lead_store');
		const opening = expect(openAt(relay.url)).rejects.toThrow(/cannot be opened: .*(ECONNRESET|unexpectedly)/);
		await untilWaiting(url, 'SELECT version FROM lead_store');
		relay.cut();
		await opening;
	});

	test('tables of the version before get what is new, and keep all that they had', async () => {
		await using client = await connectedTo(url);
		await empty(url);
		await client.query(readFileSync(new URL('version-1.postgres.sql', import.meta.url), 'utf8'));
		await using store = await openAt(url);
		const entries = await store.list({ limit: 9 });
		expect(entries.map(({ state }) => state).toSorted()).toEqual(['delivered', 'parked', 'quarantined', 'waiting']);
		expect(await store.count()).toEqual({ waiting: 1, delivered: 1, parked: 1, quarantined: 1 });
		expect(await store.awaitingNotice()).toHaveLength(1);
		expect(await store.list({ source: 'api-access', limit: 9 })).toMatchObject([{ state: 'delivered' }]);
		expect(await store.claim(claimAs())).toMatchObject([{ payload: '{"name":"Waiting"}', tries: 2 }]);
		expect(await store.erase('delivered@xn--clnica-4va.example')).toEqual({ entries: 1, keys: 0 });
		await using again = await openAt(url);
		expect(await again.count()).toMatchObject({ waiting: 1, delivered: 0 });
	});

	test('large tables of the version before get the time that they need', async () => {
		await using client = await connectedTo(url);
		await empty(url);
		await client.query(readFileSync(new URL('version-1.postgres.sql', import.meta.url), 'utf8'));
		await client.query(`
			CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$;
			CREATE TRIGGER slow AFTER UPDATE ON lead_entries EXECUTE FUNCTION slow();
		`);
		const impatient = new URL(url);
		impatient.searchParams.set('query_timeout', '400');
		await using store = await openAt(impatient.href);
		expect(await store.count()).toMatchObject({ waiting: 1 });
	});

	test('tables of a newer version are refused', async () => {
		await (await openAt(url))[Symbol.asyncDispose]();
		await using client = await connectedTo(url);
		await client.query('UPDATE lead_store SET version = 999');
		await expect(openAt(url)).rejects.toThrow('a newer version of this program');
	});
});

test.each([
	[
		'nobody answers',
		'postgres://me:hunter2@127.0.0.1:4600/leads',
		'(database leads on 127.0.0.1) cannot be opened: connect ECONNREFUSED',
	],
	['the URL cannot be read', 'postgres://me:hunter2@host:port/leads', 'on PostgreSQL cannot be opened: Invalid URL'],
])('a store that cannot be opened says where and why, never the password: %s', async (_, url, message) => {
	const failure = await openAt(url).catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(StoreError);
	expect(String(failure)).toContain(message);
	expect(String(failure)).toContain('LEAD_STORE');
	expect(JSON.stringify([failure, (failure as StoreError).cause, String((failure as StoreError).cause)])).not.toContain(
		'hunter2',
	);
});

/** Quicker than a new database, whose many files would have to reach the disk before the server can stop. */
async function empty(url: string): Promise<void> {
	await using client = await connectedTo(url);
	await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
}

/** Resolves when a statement like this waits for somebody else. */
async function untilWaiting(url: string, statement: string): Promise<void> {
	await using client = await connectedTo(url);
	const waiting = `datname = current_database() AND query LIKE '${statement}' AND wait_event_type = 'Lock'`;
	const look = async () => (await client.query(`SELECT FROM pg_stat_activity WHERE ${waiting}`)).rowCount;
	await vi.waitUntil(look, { interval: 5, timeout: 30_000 });
}

/** A user of the database who does not own its tables. */
const guest = 'leads_guest';

async function dropRole(url: string, role: string): Promise<void> {
	await using client = await connectedTo(url);
	await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
}

async function connectedTo(url: string): Promise<pg.Client & AsyncDisposable> {
	const client = new pg.Client(url);
	await client.connect();
	return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
