import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { postgresDatabase } from '../../src/store/postgres.ts';
import { type LeadStore, leadStore, openStore, StoreError } from '../../src/store/store.ts';
import { ask as askIn, connectedTo, postgresMissing, startPostgres } from '../support/postgres.ts';
import { pgbouncerMissing, startPgbouncer } from '../support/pgbouncer.ts';
import { shared } from '../support/shared.ts';
import { describeContract } from './contract.ts';
import { newApiKey } from '../support/api-key.ts';
import { claim, HOUR, idsIn, MINUTE, newEntry, newOnce, saved } from './entries.ts';

/** Of the database, which is empty when a test begins. */
let url: string;
const ask = (statement: string) => askIn(url, statement);
/** That is faster than a new database, whose many files must reach the disk before the server can stop. */
const empty = () => ask('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
const open = (patience?: number, at = url) => openStore({ kind: 'postgres', url: at }, { patience });

describe.skipIf(postgresMissing)(postgresMissing ?? 'The store in PostgreSQL', () => {
	const postgres = shared(startPostgres);
	beforeAll(async () => void (url = await postgres().createDatabase()));
	beforeEach(empty);

	const describeContractAt = (openUrl: () => string) =>
		describeContract(async () => {
			await empty();
			return { kind: 'postgres', url: openUrl() };
		});
	describe('directly', () => describeContractAt(() => url));
	describe.skipIf(pgbouncerMissing)('behind PgBouncer, which gives each transaction another connection', () => {
		const pooler = shared(() => startPgbouncer(url));
		describeContractAt(() => pooler().url);
	});

	test('a statement that is given up because of a lock no longer waits for it at the server', async () => {
		await using store = await open(100);
		await using blocker = await connectedTo(url);
		await blocker.query('BEGIN; LOCK TABLE lead_entries IN ACCESS EXCLUSIVE MODE');
		await expect(store.insert(newEntry())).rejects.toThrow(StoreError);
		const { rows } = await blocker.query('SELECT query FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE NOT granted');
		expect(rows).toEqual([]);
		await blocker.query('ROLLBACK');
		expect(await idsIn(store)).toEqual([]);
	});

	test('work waits for a connection where the database allows fewer than it wants', async () => {
		await using store = await open(undefined, await urlOfGuest('CONNECTION LIMIT 2'));
		const insertions = await Promise.all(Array.from({ length: 20 }, () => store.insert(newEntry({ email: null }))));
		expect(new Set(insertions.map(({ outcome }) => outcome))).toEqual(new Set(['inserted']));
	});

	test('a process that is frozen in a transaction keeps nobody for long from what it has locked', async () => {
		await using store = await open();
		const id = await saved(store);
		await using frozen = postgresDatabase(url);
		const [locked, thaw] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const written = frozen.write(async (run) => {
			await run('SELECT FROM lead_deliveries FOR UPDATE');
			locked.resolve();
			await thaw.promise;
			await run('SELECT');
		});
		const failed = expect(written).rejects.toThrow(StoreError);
		await locked.promise;
		expect(await claim(store)).toEqual([]);
		await expect.poll(() => claim(store)).toMatchObject([{ id }]);
		thaw.resolve();
		await failed;
	});

	test('a process that is frozen in its work on a row that many share keeps none of them waiting', async () => {
		await using store = await open();
		const key = newApiKey();
		await store.keys.insert(key);
		const database = postgresDatabase(url);
		const thaw = Promise.withResolvers<void>();
		let frozen = 0;
		const write: typeof database.write = (work) =>
			database.write(async (run, now) => {
				const result = await work(run, now);
				frozen += 1;
				await thaw.promise;
				return result;
			});
		await using slow = leadStore({ ...database, write }, store.secret);
		const insert = (to: LeadStore) => to.insert(newEntry({ apiKey: key.id }));
		const late = Promise.all([slow.requireWritable(), insert(slow)]);
		await expect.poll(() => frozen).toBe(2);
		for (let turn = 0; turn < 20; turn += 1) await Promise.all([store.requireWritable(), insert(store)]);
		thaw.resolve();
		// So nobody has waited until it was given up.
		expect(await late).toMatchObject([expect.any(Number), { outcome: 'inserted' }]);
		expect(await store.keys.find(key.id)).toMatchObject({ leads: 21 });
	});

	test('no version destroys a key in use, as the first one tried to', async () => {
		await using store = await open();
		const key = newApiKey();
		const id = await saved(store);
		await store.keys.insert(key);
		await saved(store, { email: 'eva@clinic.example' });
		await store.erase('eva@clinic.example');
		await ask(`UPDATE lead_keys SET key = '', free = 1`);
		expect(await ask('SELECT free FROM lead_keys ORDER BY slot')).toEqual([{ free: 0 }, { free: 0 }, { free: 1 }]);
		const { payload } = newEntry();
		expect([await store.find(id), await store.keys.find(key.id)]).toMatchObject([[{ payload }], { id: key.id }]);
	});

	test('an erasure takes what came while it waited for somebody who deletes the rest', async () => {
		await using store = await open();
		await saved(store);
		await using other = await connectedTo(url);
		await other.query('BEGIN; DELETE FROM lead_entries');
		const erased = store.erase('ana@clinicasol.example');
		await untilWaiting('%person = %');
		await saved(store);
		await other.query('COMMIT');
		expect(await erased).toMatchObject({ entries: 1, keys: 0 });
		expect(await idsIn(store)).toEqual([]);
	});

	test('leads are saved while an erasure waits for somebody who reads', async () => {
		await using store = await open();
		await using other = await open();
		await saved(store);
		await using reader = await connectedTo(url);
		await reader.query('BEGIN; SELECT FROM lead_entries');
		const scrubbed = store.scrub();
		await untilWaiting('VACUUM%');
		expect(await other.insert(newEntry())).toMatchObject({ outcome: 'inserted' });
		await reader.query('ROLLBACK');
		expect(await scrubbed).toBe(true);
	});

	test.each(['upkeep', 'bounces'] as const)('one instance has the turn of %s, also if a clock was ahead', async (work) => {
		const stores = await Promise.all(Array.from({ length: 4 }, () => open()));
		const turns = async () => (await Promise.all(stores.map((store) => store.takeTurn(work)))).filter(Boolean).length;
		for (const age of [HOUR, -2 * MINUTE]) {
			await ask(`UPDATE lead_store SET ${work}_at = ${Date.now() - age}`);
			expect([await turns(), await turns()]).toEqual([1, 0]);
		}
		for (const store of stores) await store[Symbol.asyncDispose]();
	});

	describe('counting requests', () => {
		const counted = { requests: 1, rest: expect.any(Number) };

		test('instances count together, each client in its own window', async () => {
			await using one = await open();
			await using other = await open();
			expect(await one.counts!.read('client', HOUR)).toBeUndefined();
			const add = (_: unknown, turn: number) => (turn % 2 ? one : other).counts!.add('client', HOUR);
			const counts = await Promise.all(Array.from({ length: 8 }, add));
			expect(counts.map(({ requests }) => requests).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
			expect(new Set(counts.map(({ rest }) => Math.round(rest / MINUTE)))).toEqual(new Set([60]));
			expect(await other.counts!.read('client', HOUR)).toMatchObject({ requests: 8 });
			expect(await other.counts!.add('another', HOUR)).toEqual(counted);
		});

		test('a window ends, also if the clock of the database was ahead when it began', async () => {
			await using store = await open();
			for (const time of [HOUR, -2 * MINUTE]) {
				await store.counts!.add('client', HOUR);
				await ask(`UPDATE lead_rate_limits SET ends_at = ends_at - ${time}`);
				expect(await store.counts!.read('client', HOUR)).toBeUndefined();
				expect(await store.counts!.add('client', HOUR)).toEqual(counted);
			}
		});

		test('a purge deletes the counts that are over, and leaves others', async () => {
			await using store = await open();
			await store.counts!.add('client', HOUR);
			const year = 365 * 24 * HOUR;
			await ask(`INSERT INTO lead_rate_limits VALUES ('gone', 1, 0), ('ahead', 1, ${Date.now() + year})`);
			expect(await store.purge({ age: year, decisionTime: year, cap: 9, batch: 9 })).toMatchObject({ done: true });
			expect(await ask('SELECT key FROM lead_rate_limits')).toEqual([{ key: 'client' }]);
		});

		test('waits for no other work of the store, and is refused where it cannot be done soon', async () => {
			await using store = await open();
			await using blocker = await connectedTo(url);
			await blocker.query('BEGIN; LOCK TABLE lead_entries');
			const insertions = Array.from({ length: 20 }, () => store.insert(newEntry({ email: null })));
			await untilWaiting('%INSERT INTO lead_entries%', 10);
			expect(await store.counts!.add('client', HOUR)).toEqual(counted);
			await blocker.query('COMMIT; BEGIN; LOCK TABLE lead_rate_limits');
			await expect(store.counts!.add('client', HOUR)).rejects.toThrow(StoreError);
			await blocker.query('ROLLBACK');
			expect(new Set((await Promise.all(insertions)).map(({ outcome }) => outcome))).toEqual(new Set(['inserted']));
		});
	});

	test('the clock of a process decides nothing', async () => {
		await using store = await open();
		await saved(store);
		expect(await claim(store)).toHaveLength(1);
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * HOUR });
		onTestFinished(() => void vi.useRealTimers());
		expect(await claim(store, { owner: 'two' })).toEqual([]);
	});

	test('of what was deleted nothing stands in statistics, scrubbed files or, ever, in plain text', async ({ skip }) => {
		await using store = await open();
		// Twelve people, because a histogram needs several. One has a message too long for a table's own file.
		const people = Array.from({ length: 12 }, (_, turn) => ({
			email: `${turn}@unforgettable.example`,
			source: `/unforgettable-${turn}`,
			payload: JSON.stringify({ message: 'Unforgettable! '.repeat(turn === 0 ? 2000 : 1) }),
		}));
		for (const person of people) {
			const id = await saved(store, { ...person, once: newOnce() });
			await store.train(id, { verdict: 'spam', signals: [] }, ['trait']);
			await store.keys.insert(newApiKey({ email: person.email, name: 'Unforgettable' }));
		}
		// Autovacuum does this too.
		await ask('ANALYZE');
		const statistics = await ask(`SELECT * FROM pg_stats WHERE schemaname = 'public'`);
		const columns = statistics.map(({ tablename, attname }) => `${tablename}.${attname}`);
		expect(columns).toEqual(expect.arrayContaining(['lead_entries.received_at', 'api_keys.made_at']));
		const personal = /(person|source|payload|content|hash|fingerprint|trait|[._]key|once)$/;
		expect(columns.filter((name) => personal.test(name))).toEqual([]);

		const [setting] = await ask(`SELECT current_setting('data_directory') AS folder`);
		const folder = String(setting!['folder']);
		if (!existsSync(folder)) return skip('The files of the server of TEST_POSTGRES_URL are elsewhere.');
		/** Returns what is in all files of a folder, but for those that PostgreSQL removes meanwhile. */
		const bytesIn = (part: string) =>
			spawnSync('find', [folder + part, '-type', 'f', '-exec', 'cat', '{}', '+'], { maxBuffer: 2 ** 30 }).stdout.toString(
				'latin1',
			);
		/** Returns the encryption keys of entries: without them nobody can read any copy. */
		const keys = async () =>
			(await ask('SELECT key FROM lead_keys WHERE free = 0')).map(({ key }) => (key as Buffer).toString('latin1'));
		const [before, first] = [await keys(), people[0]!];
		expect(await store.erase(first.email)).toMatchObject({ entries: 1, keys: 1 });
		const kept = await keys();
		expect([before.length, kept.length]).toEqual([24, 22]);
		expect(await store.scrub()).toBe(true);
		await ask('CHECKPOINT');
		const bytes = bytesIn('/base');
		expect(before.filter((key) => bytes.includes(key))).toEqual(kept);
		// The log holds no readable text either.
		expect(/unforgettable/i.test(bytesIn(''))).toBe(false);
		expect((await store.list({ limit: 12 })).map(({ payload }) => payload)).toContain(people[1]!.payload);
	});

	test.each([
		['an open transaction could still see, whatever table it reads', 'ISOLATION LEVEL REPEATABLE READ; SELECT FROM lead_store'],
		['stands in a table that somebody uses', '; SELECT FROM lead_entries'],
	])('what %s is said to be left', async (_, reading) => {
		await using store = await open(2000);
		await saved(store);
		await using reader = await connectedTo(url);
		await reader.query(`BEGIN ${reading}`);
		await store.erase('ana@clinicasol.example');
		expect(await store.scrub()).toBe(false);
		await reader.query('ROLLBACK');
		expect(await store.scrub()).toBe(true);
	});

	test('what its user may not write anew is said to be left', async () => {
		await using store = await open(1, await urlOfGuest());
		await saved(store, { email: 'eva@clinic.example' });
		expect(await store.erase('eva@clinic.example')).toMatchObject({ entries: 1, keys: 0 });
		expect(await store.scrub()).toBe(false);
	});
});

/** Makes tables, and a user who may use them and does not own them, until the test ends. @returns the database's URL for that user */
async function urlOfGuest(options = ''): Promise<string> {
	await (await open())[Symbol.asyncDispose]();
	const guest = 'leads_guest';
	const grants = ['USAGE ON SCHEMA public', 'SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public'].map(
		(right) => `GRANT ${right} TO ${guest}`,
	);
	await ask([`CREATE ROLE ${guest} LOGIN ${options}`, ...grants].join(';'));
	onTestFinished(async () => void (await ask(`DROP OWNED BY ${guest}; DROP ROLE ${guest}`)));
	return Object.assign(new URL(url), { username: guest }).href;
}

async function untilWaiting(statement: string, count = 1): Promise<void> {
	const waiting = `datname = current_database() AND query LIKE '${statement}' AND wait_event_type = 'Lock'`;
	await expect.poll(() => ask(`SELECT FROM pg_stat_activity WHERE ${waiting}`)).toHaveLength(count);
}
