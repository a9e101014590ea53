import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openExistingStore, type StorePlace } from '../lead/store/index.ts';
import type { LeadStore } from '../lead/store/store.ts';
import { roughTime } from '../values/time.ts';
import { type Check, type Examination, fault, type Finding, ok, skipped, warning } from './check.ts';

/** Runs a check of the store, if these settings lead to one. */
const onStore = (look: (place: StorePlace, examination: Examination) => Promise<Finding> | Finding) => (ex: Examination) => {
	const { store } = ex.settings;
	if (store.kind === 'none') return skipped('LEAD_STORE is none');
	if (store.kind === 'sqlite' && !existsSync(store.path))
		return skipped(`no store at ${resolve(store.path)}: run this where the server runs`);
	return look(store, ex);
};

const onOpenStore = (look: (store: LeadStore, examination: Examination) => Promise<Finding>) =>
	onStore(async (place, examination) => {
		await using store = await openExistingStore(place);
		return await look(store, examination);
	});

/** Before 3.51.3 SQLite has the WAL-reset bug, which can lose changes when a checkpoint meets a writer. */
function sqlite({ kind }: StorePlace): Finding {
	if (kind === 'postgres') return skipped('the store is on PostgreSQL');
	const { sqlite: version = '0', node } = process.versions;
	const found = `SQLite ${version} in Node.js ${node}`;
	return version.localeCompare('3.51.3', 'en', { numeric: true }) >= 0
		? ok(found)
		: warning(found, 'Run the server on a Node.js with SQLite 3.51.3 or later: before, a rare fault could damage the file.');
}

/** In milliseconds: a delivery that waits longer is a warning. */
const LONG = 3_600_000;

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
	{ name: 'store: SQLite', look: onStore(sqlite) },
	{ name: 'store: waiting', look: onOpenStore(waiting) },
	{ name: 'store: parked', look: onOpenStore(parked) },
];
