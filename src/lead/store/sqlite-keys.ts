import type { KeyObject } from 'node:crypto';
import type { GroupCommit } from './group-commit.ts';
import { type KeyRow, keyFrom, newKeyRow } from './key-row.ts';
import type { KeyStore, NewApiKey } from './key-store.ts';
import type { Parameters, SqliteConnection } from './sqlite-connection.ts';
import { sql } from './sqlite-statements.ts';

/** API keys in the file of the lead store. */
export function sqliteKeys(database: GroupCommit, secret: KeyObject): KeyStore {
	const change = async (statement: string, parameters: Parameters) => {
		await database.write((connection) => connection.run(statement, parameters));
	};
	const select = async (statement: string, parameters?: Parameters) =>
		(await database.read((connection) => connection.all<KeyRow>(statement, parameters))).map(keyFrom);

	function save(connection: SqliteConnection, newKey: NewApiKey): void {
		const { key, test, ...row } = newKeyRow(newKey, secret);
		connection.run(sql.insertApiKey, { ...row, slot: connection.keepKey(key), test: Number(test) });
	}

	return {
		insert: (key) => database.write((connection) => save(connection, key)),
		find: async (id) => (await select(sql.apiKeys('id = :id'), { id }))[0],
		list: () => select(sql.apiKeys()),
		replace: ({ id, endsAt: oldEndsAt }, { key, endsAt, revoked }) =>
			database.write((connection) => {
				const ended = connection.run(sql.endApiKey, { id, oldEndsAt, endsAt, revoked: Number(revoked) }) > 0;
				if (ended) save(connection, key);
				return ended;
			}),
		revoke: (id, now) => change(sql.revokeApiKey, { id, now }),
		used: (id, day) => change(sql.apiKeyUsed, { id, day }),
	};
}
