import type { KeyObject } from 'node:crypto';
import { comparable } from '../email-address.ts';
import type { GroupCommit } from './group-commit.ts';
import { personHash } from './index-hash.ts';
import { contentOf, type KeyRow, keyFrom } from './key-row.ts';
import type { ApiKey, KeyStore, NewApiKey, ProvenApiKey, Replacement } from './key-store.ts';
import { seal, type Sealed } from './seal.ts';
import type { Parameters, SqliteConnection } from './sqlite-connection.ts';
import { slotFor, unsealedText } from './sqlite-entry.ts';
import { sql } from './sqlite-statements.ts';

/** API keys in the file of the lead store. Who owns one is sealed, as leads are. */
export class SqliteKeys implements KeyStore {
	readonly #database: GroupCommit;
	readonly #secret: KeyObject;

	constructor(database: GroupCommit, secret: KeyObject) {
		this.#database = database;
		this.#secret = secret;
	}

	insert(key: NewApiKey): Promise<void> {
		return this.#database.write((connection) => this.#save(connection, key));
	}

	async find(id: string): Promise<ProvenApiKey | undefined> {
		const [found] = await this.#keys(sql.apiKeys('id = :id'), { id });
		return found;
	}

	list(): Promise<ProvenApiKey[]> {
		return this.#keys(sql.apiKeys());
	}

	replace({ id, endsAt: oldEndsAt }: Pick<ApiKey, 'id' | 'endsAt'>, { key, endsAt, revoked }: Replacement): Promise<boolean> {
		return this.#database.write((connection) => {
			const ended = connection.run(sql.endApiKey, { id, oldEndsAt, endsAt, revoked: Number(revoked) }) > 0;
			if (ended) this.#save(connection, key);
			return ended;
		});
	}

	async revoke(id: string, now: number): Promise<void> {
		await this.#database.write((connection) => connection.run(sql.revokeApiKey, { id, now }));
	}

	async used(id: string, day: string): Promise<void> {
		await this.#database.write((connection) => connection.run(sql.apiKeyUsed, { id, day }));
	}

	#save(connection: SqliteConnection, key: NewApiKey): void {
		const { id, hash, owner, test, madeAt, endsAt } = key;
		const person = personHash(this.#secret, comparable(owner.email));
		const sealed = seal(contentOf(key));
		const slot = slotFor(connection, sealed.key);
		connection.run(sql.insertApiKey, { id, hash, person, slot, text: sealed.text, test: Number(test), madeAt, endsAt });
	}

	async #keys(statement: string, parameters?: Parameters): Promise<ProvenApiKey[]> {
		const rows = await this.#database.read((connection) => connection.all<SealedRow>(statement, parameters));
		return rows.map(({ text, key, test, revoked, ...row }) =>
			keyFrom({ ...row, test: test === 1, revoked: revoked === 1, content: unsealedText({ text, key }) }),
		);
	}
}

type SealedRow = Omit<KeyRow, 'content' | 'test' | 'revoked'> & Sealed & { test: number; revoked: number };
