import fs from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Call } from '../../src/cli/command.ts';
import { erase } from '../../src/cli/leads.ts';
import { MOST_COUNTED } from '../../src/store/entry.ts';
import { type LeadStore, openStore, StoreError } from '../../src/store/store.ts';
import { isOnNetwork, sqliteDatabase } from '../../src/store/sqlite.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeContract } from './contract.ts';
import { newApiKey } from '../support/api-key.ts';
import { announced, idsIn, newEntry, saved } from './entries.ts';
import { restoreKept } from './kept.ts';

let folder: string;
let path: string;
beforeEach(async () => {
	const temporary = await temporaryFolder();
	folder = temporary.path;
	path = join(folder, 'leads.db');
	return () => temporary[Symbol.asyncDispose]();
});

const open = (patience?: number) => openStore({ kind: 'sqlite', path }, { patience });

describe('The store in SQLite', () => {
	let databases = 0;
	describeContract(async () => ({ kind: 'sqlite', path: join(folder, `${(databases += 1)}.db`) }));
});

test.each<[string, (store: LeadStore) => Promise<unknown>, unknown]>([
	['the retry of all parked leads', (store) => store.retry('stuck', ['email']), { due: 201, left: [] }],
	['the deletion of all entries of a person', (store) => store.erase('ana@clinicasol.example'), { entries: 201, keys: 0 }],
])('a lead is saved before %s is done', async (_, work, result) => {
	await using store = await open();
	await Promise.all(Array.from({ length: 201 }, () => saved(store, { email: 'ana@clinicasol.example' })));
	using database = new DatabaseSync(path, { timeout: 5000 });
	database.exec(`UPDATE lead_deliveries SET state = 'parked'`);

	const done: unknown[] = [];
	const note = (what: unknown) => void done.push(what);
	await Promise.all([work(store).then(note), saved(store, { email: null }).then(() => note('saved'))]);
	expect(done).toMatchObject(['saved', result]);
});

test('folder and files are readable by their owner only, but a folder that was there is left as it is', async () => {
	fs.chmodSync(folder, 0o755);
	path = join(folder, 'var/data/leads.db');
	{
		await using store = await open();
		await saved(store);
	}
	fs.chmodSync(path, 0o644);
	await using store = await open();
	await saved(store);
	const modeOf = (path: string) => (fs.statSync(join(folder, path)).mode & 0o777).toString(8);
	expect([modeOf('.'), modeOf('var'), modeOf('var/data')]).toEqual(['755', '700', '700']);
	for (const file of ['leads.db', 'leads.db-shm', 'leads.db-wal']) expect(modeOf(`var/data/${file}`)).toBe('600');
});

test('no count reads all leads of a state', async () => {
	await using store = await open();
	using database = new DatabaseSync(path);
	database.exec(`WITH RECURSIVE turn (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM turn WHERE id <= ${MOST_COUNTED})
		INSERT INTO lead_entries (id, kind, received_at, state, payload) SELECT id, 'lead', id, 'delivered', '' FROM turn`);
	expect(await store.count()).toMatchObject({ waiting: 0, delivered: MOST_COUNTED });
});

test('no upkeep reads or sorts all leads, or all that lies in quarantine', async () => {
	await using store = await open();
	const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
	onTestFinished(() => prepare.mockRestore());
	await store.purge({ age: 1, decisionTime: 1, cap: 5000, batch: 25 });
	await store.countUnnotified(1);
	await store.leadTimes(1);
	await store.takenLeads(1);
	await store.remind({ oldest: 1, youngest: 1, limit: 1 }, () => newEntry());
	await store.markNotified(await announced(store));
	using database = new DatabaseSync(path);
	const plans = prepare.mock.calls.map(([sql]) => sql).flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
	expect(plans.length).toBeGreaterThan(8);
	for (const { detail } of plans) expect(detail).not.toMatch(/TEMP B-TREE|SCAN lead_entries(?! USING (COVERING )?INDEX)/);
});

test('a server says that another uses its file, also after a third has found out, and no longer once the other has ended', async () => {
	const risks = async () => {
		await using store = await open();
		return store.file!.risks().length;
	};
	{
		await using first = await open();
		await using command = await openStore({ kind: 'sqlite', path }, { makes: false });
		await saved(command);
		expect([first.file!.risks(), await risks(), await risks(), first.file!.risks()]).toEqual([[], 1, 1, []]);
		expect([fs.statSync(`${path}.lock`).size, fs.existsSync(`${path}.lock-journal`)]).toEqual([0, false]);
	}
	expect(await risks()).toBe(0);
});

test.each([
	[true, 0x69_69, 'NFS'],
	[true, 0xff_53_4d_42, 'CIFS'],
	[false, 0xef_53, 'ext4'],
	[false, 0x01_02_19_94, 'tmpfs'],
])('that a file is on a network file system is %j of %i, %s', (isSo, type) => {
	expect(isOnNetwork(type)).toBe(isSo);
});

test('a commit is on the disk when it returns', async () => {
	await using database = sqliteDatabase(path);
	await database.open(true);
	expect(await database.read('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
});

/** Erases a person by the command, which waits for nobody. @returns what it printed */
async function erased(email: string): Promise<unknown> {
	const print = vi.fn();
	await erase({ openStore: () => open(0), print } as unknown as Call, email, true);
	return print.mock.calls;
}

test('what another program still reads is said to be left, also to who erases it a second time', async () => {
	const email = 'eva@clinic.example';
	await using store = await open();
	await saved(store, { email });
	{
		using reader = new DatabaseSync(path);
		reader.exec('BEGIN; SELECT * FROM lead_entries');
		expect(await erased(email)).toMatchObject([[{ erased: 1, erasedKeys: 0, scrubbed: false }, expect.any(String), false]]);
		await expect(erased(email)).rejects.toThrow('others use the store');
	}
	await expect(erased(email)).rejects.toThrow('Nothing is kept of');
});

test('what a copy from before an upgrade still holds is said to be left, until somebody deletes the copy', async () => {
	const [email, before] = ['eva@parked.example', `${path}.before-1`];
	await restoreKept({ kind: 'sqlite', path });
	fs.writeFileSync(before, 'That of an upgrade which somebody has undone.');
	const left = { erased: 1, erasedKeys: 0, scrubbed: false };
	expect(await erased(email)).toMatchObject([[left, expect.stringContaining(before), false]]);
	using copy = new DatabaseSync(before);
	expect(copy.prepare(`SELECT id FROM lead_entries WHERE state = 'parked'`).all()).toHaveLength(1);
	fs.rmSync(before);
	await expect(erased(email)).rejects.toThrow('Nothing is kept of');
});

test('of what was deleted no file holds anything once it is scrubbed, however leads and API keys come and go, nor ever plain text', async () => {
	await using store = await open();
	using database = new DatabaseSync(path, { readOnly: true });
	const read = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
	/** Returns the encryption keys of entries: without them nobody can read any copy. */
	const inUse = database.prepare('SELECT key FROM lead_keys WHERE free = 0');
	const keys = () => inUse.all().map(({ key }) => read(key as Uint8Array));
	const people: string[] = [];
	for (let turn = 0; turn < 120; turn += 1) {
		const [owner, ...senders] = Array.from({ length: 6 }, (_, index) => `${turn}.${index}@unforgettable.example`);
		const payload = JSON.stringify({ message: 'Unforgettable'.repeat((turn * 97) % 150) });
		await Promise.all(senders.map((email) => saved(store, { email, payload })));
		await store.keys.insert(newApiKey({ email: owner!, name: 'Unforgettable' }));
		people.push(owner!, ...senders);
		const before = keys();
		const leaving = Array.from({ length: turn < 20 ? 0 : 6 }, () => people.splice((turn * 31) % people.length, 1)[0]!);
		await Promise.all(leaving.map((email) => store.erase(email)));
		expect(await store.scrub()).toBe(true);
		const bytes = read(Buffer.concat(fs.readdirSync(folder).map((file) => fs.readFileSync(join(folder, file)))));
		expect(before.filter((key) => bytes.includes(key))).toEqual(keys());
		expect(bytes).not.toMatch(/unforgettable/i);
	}
	const { waiting } = await store.count();
	expect([waiting + (await store.keys.list()).length, keys().length]).toEqual([people.length, people.length]);
});

test('a file that another process does not let go is given up', async () => {
	await using store = await open(100);
	using holder = new DatabaseSync(path);
	holder.exec('BEGIN IMMEDIATE');
	await expect(store.insert(newEntry())).rejects.toThrow('database is locked');
	holder.exec('COMMIT');
	const next = newEntry();
	expect(await store.insert(next)).toMatchObject({ outcome: 'inserted' });
	expect(await idsIn(store)).toEqual([next.id]);
});

test.each<[string, () => void]>([
	['moved', () => fs.renameSync(path, `${path}.old`)],
	['replaced by a copy', () => (fs.renameSync(path, `${path}.old`), fs.copyFileSync(`${path}.old`, path))],
	['without its log', () => fs.rmSync(`${path}-wal`)],
])('a file that is %s says so at a commit, does not come back empty, and is used again once that is mended', async (_, harm) => {
	await using store = await open();
	const before = await saved(store);
	harm();
	await expect(store.insert(newEntry())).rejects.toThrow('its files were removed, moved or replaced');
	const isThere = fs.existsSync(path);
	if (!isThere) await expect(store.insert(newEntry())).rejects.toThrow(StoreError);
	expect(fs.existsSync(path)).toBe(isThere);
	if (fs.existsSync(`${path}.old`)) fs.renameSync(`${path}.old`, path);
	const after = await saved(store);
	expect(await idsIn(store)).toEqual(expect.arrayContaining([before, after]));
});
