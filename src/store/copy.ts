import { fail, type Run, StoreError, type Value } from './database.ts';
import { placesFrom } from './entry.ts';
import { databaseAt, openStore, type StorePlace } from './store.ts';

/** The tables of a copy by their names for people, with their primary keys. Each stands after those that it refers to. */
const tables = {
	'encryption keys': ['lead_keys', 'slot'],
	entries: ['lead_entries', 'id'],
	deliveries: ['lead_deliveries', 'entry_id', 'channel'],
	'learnt traits': ['lead_traits', 'entry_id', 'trait'],
	'traits of deleted leads': ['lead_lessons', 'trait', 'person'],
	'API keys': ['api_keys', 'id'],
} as const;

/** How many rows are in memory at once. SQLite takes at most 32,766 values in a statement. */
const PAGE = 200;

/**
 * Copies a store to an empty one, each row as it is, all or nothing. Brings the first one forward before. Requests are counted anew there.
 * @returns how many rows of what
 * @throws {StoreError} a server uses one of them, the second one holds something, or one of them failed
 */
export async function copyStore(from: StorePlace, to: StorePlace): Promise<Record<string, number>> {
	await (await openStore(from, { makes: false }))[Symbol.asyncDispose]();
	await using source = await databaseAt(from);
	await using target = await databaseAt(to);
	const copied: Record<string, number> = {};
	await source.open(false, (run) =>
		// Without `fail` the second store would seem to fail.
		target.open(true, (write) => copyTables((...query) => run<never>(...query).catch(fail), write, copied)),
	);
	return copied;
}

async function copyTables(from: Run, to: Run, copied: Record<string, number>): Promise<void> {
	const held = await to('SELECT id FROM lead_entries UNION ALL SELECT id FROM api_keys LIMIT 1');
	if (held.length > 0) throw new StoreError('The store to copy to holds leads or API keys already. Name an empty one.');
	// `requireWritable` leaves overwritten ones.
	await to('DELETE FROM lead_keys');
	const [store] = await from('SELECT secret FROM lead_store');
	await to('UPDATE lead_store SET secret = $1', [store!['secret']!]);
	for (const [name, [table, ...key]] of Object.entries(tables)) {
		for await (const page of pagesOf(from, table, key)) {
			const columns = Object.keys(page[0]!);
			const places = page.map((_, row) => `(${placesFrom(1 + row * columns.length, columns)})`);
			const values = page.flatMap((row) => columns.map((column) => row[column]!));
			await to(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${places.join(', ')}`, values);
		}
		const [there, here] = [await countIn(table, from), await countIn(table, to)];
		if (there !== here) throw new StoreError(`Of ${there} rows in ${table} ${here} were copied, so nothing was saved.`);
		copied[name] = here;
	}
}

async function* pagesOf(run: Run, table: string, key: string[]) {
	const select = (where: string, ...last: Value[]) =>
		run(`SELECT * FROM ${table} ${where} ORDER BY ${key.join(', ')} LIMIT $1`, [PAGE, ...last]);
	let page = await select('');
	while (page.length > 0) {
		yield page;
		const last = key.map((column) => page.at(-1)![column]!);
		page = await select(`WHERE (${key.join(', ')}) > (${placesFrom(2, key)})`, ...last);
	}
}

const countIn = async (table: string, run: Run) =>
	(await run<{ held: number }>(`SELECT count(*) AS held FROM ${table}`))[0]!.held;
