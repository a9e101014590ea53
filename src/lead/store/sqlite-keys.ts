import type { KeyObject } from 'node:crypto';
import type { GroupCommit } from './group-commit.ts';
import { type KeyRow, keyFrom, newKeyRow } from './key-row.ts';
import type { KeyStore } from './key-store.ts';
import type { Parameters } from './sqlite-connection.ts';
import { sql } from './sqlite-statements.ts';

/** API keys in the file of the lead store. */
export function sqliteKeys(database: GroupCommit, secret: KeyObject): KeyStore {
	const change = async (statement: string, parameters: Parameters) => {
		await database.write((connection) => connection.run(statement, parameters));
	};
	const select = async (statement: string, parameters?: Parameters) =>
		(await database.read((connection) => connection.all<KeyRow>(statement, parameters))).map(keyFrom);

	return {
		async insert(newKey) {
			const { key, ...row } = newKeyRow(newKey, secret);
			await database.write((connection) => connection.run(sql.insertApiKey, { ...row, slot: connection.keepKey(key) }));
		},
		find: async (id) => (await select(sql.apiKeys('id = :id'), { id }))[0],
		list: () => select(sql.apiKeys()),
		revoke: (id, now) => change(sql.revokeApiKey, { id, now }),
		used: (id, day) => change(sql.apiKeyUsed, { id, day }),
	};
}
