import type { StorePlace } from '../lead/store/index.ts';
import { ok, type Verdict, warning } from './verdict.ts';

/** The first SQLite that loses nothing when a checkpoint meets a writer: its log of changes could be reset too early (WAL-reset bug). */
const SAFE_SQLITE = [3, 51, 3];

/** PostgreSQL's, or that of the SQLite in the Node.js that runs this. */
export async function version(place: StorePlace): Promise<Verdict> {
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
