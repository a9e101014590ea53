import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { failure, type Report } from '../command.ts';
import { noStoreAt } from '../on-store.ts';
import type { CommandContext } from './context.ts';

/** `backup FILE` */
export async function backup({ store, operand }: CommandContext): Promise<Report> {
	if (store.kind === 'none') return failure('LEAD_STORE is none: nothing is kept that could be copied.');
	if (store.kind === 'postgres') return failure(ofPostgres);
	if (!existsSync(store.path)) return failure(noStoreAt(resolve(store.path)));
	const { backUpSqlite } = await import('../../lead/store/sqlite-backup.ts');
	const file = resolve(operand!);
	const bytes = backUpSqlite(resolve(store.path), file);
	return { done: true, data: { file, bytes }, text: `Copied to ${file} (${bytes.toLocaleString('en')} bytes). ${advice}` };
}

const ofPostgres =
	'LEAD_STORE is a PostgreSQL database, which has tools of its own for this. Copy it with\n' +
	'pg_dump --format=custom --file=FILE and the URL in LEAD_STORE, and bring it back with pg_restore.';

const advice =
	'It holds every lead and the keys that unseal them: keep it where only you can read it.\n' +
	'The settings are not in it: keep .env and the file of the DKIM key as well.';
