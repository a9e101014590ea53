import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { openStore, type StorePlace } from '../lead/store/index.ts';
import type { LeadStore } from '../lead/store/store.ts';
import { roughTime } from '../values/time.ts';
import { type Check, type Examination, fault, type Finding, ok, skipped, warning } from './check.ts';

/** The first SQLite without the WAL-reset bug, which can lose changes when a checkpoint meets a writer. */
const SAFE_SQLITE = [3, 51, 3];

/** Reports the version of PostgreSQL, or of the SQLite in the Node.js that runs this. */
async function version(place: StorePlace): Promise<Finding> {
	if (place.kind === 'postgres') return ok(`PostgreSQL ${await serverVersion(place.url)}`);
	const { sqlite = '0', node } = process.versions;
	const found = `SQLite ${sqlite} in Node.js ${node}`;
	return isSafe(sqlite)
		? ok(found)
		: warning(found, 'Run the server on a Node.js with SQLite 3.51.3 or later: before, a rare fault could damage the file.');
}

function isSafe(sqlite: string): boolean {
	const numbers = sqlite.split('.').map(Number);
	const at = SAFE_SQLITE.findIndex((number, index) => number !== numbers[index]);
	return at === -1 || (numbers[at] ?? 0) > SAFE_SQLITE[at]!;
}

async function serverVersion(connectionString: string): Promise<string> {
	const { default: pg } = await import('pg');
	const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, query_timeout: 5000 });
	try {
		await client.connect();
		const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
		return rows[0]!.server_version;
	} finally {
		await client.end();
	}
}

/** In megabytes of free space: `low` is a warning; below `full` the server soon refuses leads. */
const DISK = { low: 1000, full: 100 };
/** In milliseconds: a delivery that waits longer is a warning. */
const LONG = 3_600_000;

/** Runs a check of the store, if these settings lead to one. */
const onStore = (look: (place: StorePlace, examination: Examination) => Promise<Finding>) => (examination: Examination) => {
	const { store } = examination.settings;
	if (store.kind === 'none') return skipped('LEAD_STORE is none');
	if (store.kind === 'sqlite' && !existsSync(store.path))
		return skipped(`no store at ${resolve(store.path)}: run this where the server runs`);
	return look(store, examination);
};

const onOpenStore = (look: (store: LeadStore, examination: Examination) => Promise<Finding>) =>
	onStore(async (place, examination) => {
		await using store = await openStore(place);
		return await look(store, examination);
	});

async function disk(place: StorePlace): Promise<Finding> {
	if (place.kind === 'postgres') return skipped('it is the database’s');
	const { bavail, bsize } = await statfs(dirname(resolve(place.path)));
	const free = Math.floor((bavail * bsize) / 1_000_000);
	const found = `${free} MB free`;
	const advice = 'Make room: without any, leads are answered 503.';
	if (free < DISK.full) return fault(found, advice);
	return free < DISK.low ? warning(found, advice) : ok(found);
}

async function waiting(store: LeadStore, { leads }: Examination): Promise<Finding> {
	const { waiting: count, oldestWaiting } = await store.backlog();
	if (oldestWaiting === null) return ok('nothing waits');
	const age = Date.now() - oldestWaiting;
	const found = `${count} waiting, the oldest for ${roughTime(Math.max(1, Math.round(age / 1000)))}`;
	return age > LONG ? warning(found, `See why: ${leads} list --state waiting`) : ok(found);
}

async function parked(store: LeadStore, { leads }: Examination): Promise<Finding> {
	const { parked: count } = await store.backlog();
	if (count === 0) return ok('none');
	return fault(`${count} given up`, `See why: ${leads} list --state parked. Once that is mended: ${leads} retry --parked`);
}

/** Checks of the store. */
export const storeChecks: Check[] = [
	{ name: 'store: version', look: onStore(version) },
	{ name: 'store: disk', look: onStore(disk) },
	{ name: 'store: waiting', look: onOpenStore(waiting) },
	{ name: 'store: parked', look: onOpenStore(parked) },
];
