import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	closeSync,
	existsSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/lead/store/index.ts';
import { StoreError } from '../../../src/lead/store/store.ts';
import { TestProcess } from '../../support/process.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { describeContract } from './contract.ts';
import { claimAs, idsIn, newEntry, newOnce, NOW, saved } from './entries.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'leads-'));
	return () => rmSync(folder, { recursive: true });
});

describe('The store in SQLite', () => {
	let databases = 0;
	describeContract(async () => {
		const setting = `sqlite:${join(folder, `${(databases += 1)}.db`)}`;
		return () => openStore(setting);
	});
});

test('folder and files are readable by their owner only', async () => {
	await using store = await openStore(`sqlite:${join(folder, 'var/data/leads.db')}`);
	await saved(store);
	const modeOf = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8);
	expect([modeOf('var'), modeOf('var/data')]).toEqual(['700', '700']);
	expect(readdirSync(join(folder, 'var/data')).toSorted()).toEqual(['leads.db', 'leads.db-shm', 'leads.db-wal']);
	for (const file of readdirSync(join(folder, 'var/data'))) expect(modeOf(`var/data/${file}`)).toBe('600');
});

test('a file that others may read is closed to them, and a folder that was there is left as it is', async () => {
	const path = join(folder, 'leads.db');
	writeFileSync(path, '');
	chmodSync(path, 0o644);
	chmodSync(folder, 0o755);
	await using store = await openStore(`sqlite:${path}`);
	await saved(store);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(statSync(folder).mode & 0o777).toBe(0o755);
});

test('a key that waits for its commit is in flight, and free again after it', async () => {
	await using store = await openStore(`sqlite:${join(folder, 'leads.db')}`);
	const once = newOnce();
	const insertions = [store.insert(newEntry({ once }), NOW), store.insert(newEntry({ once }), NOW)];
	expect(await Promise.all(insertions)).toEqual(['inserted', 'in-flight']);
	expect(await store.insert(newEntry({ once }), NOW)).toBe('duplicate');
});

test('two hundred entries that arrive together share few commits', async () => {
	const path = join(folder, 'leads.db');
	await using store = await openStore(`sqlite:${path}`);
	const before = commitsIn(`${path}-wal`);
	await Promise.all(Array.from({ length: 200 }, () => saved(store)));
	const shared = commitsIn(`${path}-wal`) - before;
	expect(shared).toBeGreaterThanOrEqual(1);
	expect(shared).toBeLessThan(5);
	expect(await idsIn(store)).toHaveLength(200);
});

test('processes that open new databases at once all save, and what they saved outlives their being killed', async () => {
	const script = `
		import { openStore } from './src/lead/store/index.ts';
		import { newEntry, NOW } from './tests/lead/store/entries.ts';
		for (let database = 0; database < 20; database += 1) {
			while (Date.now() < ${Date.now() + 1000} + database * 30); // All at the same moment.
			const store = await openStore('sqlite:${folder}/' + database + '.db');
			console.log(await store.insert(newEntry(), NOW), database, store.secret.toString('hex'));
		}
		setInterval(() => {}, 1000);
	`;
	await using running = new AsyncDisposableStack();
	const processes = Array.from({ length: 5 }, () => running.use(new TestProcess(['--input-type=module', '--eval', script])));
	await Promise.all(processes.map((child) => child.printed(/^inserted 19 /m)));
	await running.disposeAsync();
	const secrets = processes.flatMap(({ output }) => output.match(/^inserted \d+ \w{64}$/gm));
	expect([secrets.length, new Set(secrets).size]).toEqual([100, 20]);
	for (let database = 0; database < 20; database += 1) {
		await using store = await openStore(`sqlite:${folder}/${database}.db`);
		expect(await idsIn(store)).toHaveLength(5);
	}
});

test('what was erased is in none of the files', async () => {
	await using store = await openStore(`sqlite:${join(folder, 'leads.db')}`);
	await saved(store, { email: 'eva@clinic.example', payload: '{"name":"Unforgettable"}' });
	await saved(store);
	const texts = () => readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'));
	expect(texts().join()).toContain('Unforgettable');
	await store.erase('eva@clinic.example');
	expect(texts().join()).not.toMatch(/Unforgettable|eva@clinic/);
});

test('a full disk rejects, harms nothing, and is forgotten once there is room', async ({ skip }) => {
	using disk = mountSmallDisk();
	if (!disk) return skip('The test of a full disk was skipped: only root may mount a small one.');
	await using store = await openStore(`sqlite:${join(disk.path, 'leads.db')}`);
	const before = await saved(store);
	const ballast = join(disk.path, 'ballast');
	expect(() => writeFileSync(ballast, Buffer.alloc(2 ** 20))).toThrow('ENOSPC');

	const large = { payload: JSON.stringify('x'.repeat(50_000)) };
	const refused = await Promise.allSettled([store.insert(newEntry(large), NOW), store.insert(newEntry(large), NOW)]);
	for (const one of refused) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(StoreError) });
	expect(String((refused[0] as PromiseRejectedResult).reason)).toContain('full');
	expect(await idsIn(store)).toEqual([before]);

	rmSync(ballast);
	const after = await saved(store, { ...large, receivedAt: NOW + 1 });
	expect(await idsIn(store)).toEqual([after, before]);
});

test('a disk that fails rejects, and the store opens its file again', async ({ skip }) => {
	if (!existsSync('/usr/bin/prlimit')) return skip('The test of a failing disk was skipped: it needs prlimit of util-linux.');
	await using store = await openStore(`sqlite:${join(folder, 'leads.db')}`);
	const before = await saved(store);
	limitFileSize('0');
	onTestFinished(() => limitFileSize('unlimited'));
	const failures = [store.insert(newEntry(), NOW), store.claim(claimAs()), store.erase('ana@clinicasol.example')];
	for (const { status } of await Promise.allSettled(failures)) expect(status).toBe('rejected');
	await expect(store.insert(newEntry(), NOW)).rejects.toThrow('disk I/O error');
	limitFileSize('unlimited');
	expect(await store.claim(claimAs())).toMatchObject([{ id: before }]);
	await saved(store);
	expect(await idsIn(store)).toHaveLength(2);
});

test('a file handle that has gone bad is replaced', async ({ skip }) => {
	if (process.platform !== 'linux') return skip('The test of a bad file handle was skipped: it needs the /proc of Linux.');
	await using store = await openStore(`sqlite:${join(folder, 'leads.db')}`);
	await saved(store);
	for (const handle of handlesOf(join(folder, 'leads.db-wal'))) {
		closeSync(handle);
		// Takes the number, so that nothing else does.
		openSync('/dev/null', 'r');
	}
	await expect(store.insert(newEntry(), NOW)).rejects.toThrow(StoreError);
	await saved(store);
	expect(await idsIn(store)).toHaveLength(2);
});

test('another process that holds the file for a moment is waited for', async () => {
	const path = join(folder, 'leads.db');
	await using store = await openStore(`sqlite:${path}`);
	const script = `
		import { DatabaseSync } from 'node:sqlite';
		const database = new DatabaseSync('${path}');
		database.exec('BEGIN IMMEDIATE');
		console.log('held');
		setTimeout(() => database.exec('COMMIT'), 300);
	`;
	await using holder = new TestProcess(['--input-type=module', '--eval', script]);
	await holder.printed(/held/);
	expect(await store.insert(newEntry(), NOW)).toBe('inserted');
});

describe('a store that cannot be opened says where, why and what to do', () => {
	test.each([
		['the folder cannot be made', 'file/leads.db', 'EEXIST'],
		['it is no database', 'file', 'file is not a database'],
		['it is a folder', '.', 'EISDIR'],
	])('%s', async (_, path, why) => {
		writeFileSync(join(folder, 'file'), 'Not a database, but long enough to be mistaken for one. '.repeat(99));
		const failure = await failureOf(`sqlite:${join(folder, path)}`);
		expect(failure).toBeInstanceOf(StoreError);
		expect(String(failure)).toMatch(new RegExp(`The lead store ${join(folder, path)} cannot be opened: .*${why}.* LEAD_STORE`));
	});

	test('a newer version has made it', async () => {
		const path = join(folder, 'leads.db');
		new DatabaseSync(path).exec('PRAGMA user_version = 999');
		expect(String(await failureOf(`sqlite:${path}`))).toContain('a newer version of this program');
	});

	test('nobody knows its kind', async () => {
		expect(String(await failureOf('mysql://me:hunter2@localhost/leads'))).toMatch(
			/^StoreError: (?!.*hunter2).*Set LEAD_STORE to sqlite:PATH/,
		);
	});
});

const failureOf = (setting: string) => openStore(setting).catch((error: unknown) => error);

/** The frames of a write-ahead log that end a transaction (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). */
function commitsIn(log: string): number {
	const bytes = readFileSync(log);
	const frame = 24 + bytes.readUInt32BE(8);
	let commits = 0;
	for (let at = 32; at + frame <= bytes.length; at += frame) if (bytes.readUInt32BE(at + 4) > 0) commits += 1;
	return commits;
}

/** The file descriptors by which this process has a file open. */
function handlesOf(path: string): number[] {
	const open = readdirSync('/proc/self/fd').filter((handle) => existsSync(`/proc/self/fd/${handle}`));
	return open.filter((handle) => readlinkSync(`/proc/self/fd/${handle}`) === path).map(Number);
}

/** Of files that this process writes: a write past it fails. */
function limitFileSize(bytes: string): void {
	execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
}
