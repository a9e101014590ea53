import type { KeyObject } from 'node:crypto';
import type { RateLimitPolicy } from '../lead/values.ts';
import type { Database, Run, Value } from './database.ts';
import { insertRow, personHash } from './entry.ts';
import { destroyKey, keepKey, seal, type Sealed, unseal } from './seal.ts';

/** An API key as it is stored, without the key itself. */
export interface ApiKey {
	/** Names it. It is made from the key, and reveals nothing of it. */
	id: string;
	/** Keyed hash of the whole key, base64url. It proves the key. */
	hash: string;
	owner: { name: string; email: string };
	scopes: string[];
	limit: RateLimitPolicy;
	madeAt: number;
	/** It is refused from then on. */
	endsAt: number;
	/** It is refused at any time. */
	revoked: boolean;
	/** The day of its last use, in UTC, `YYYY-MM-DD`, or null if it was never used. */
	lastUsed: string | null;
	leads: number;
	/** Its row cannot be read: it is refused, and owner, scopes and limit are placeholders. */
	broken?: true;
}

export type NewApiKey = Omit<ApiKey, 'revoked' | 'lastUsed' | 'leads' | 'broken'>;

export const isActive = ({ revoked, broken, endsAt }: ApiKey): boolean => !revoked && !broken && endsAt > Date.now();

export type KeyStore = ReturnType<typeof keyStore>;

export function keyStore({ read, write, atOnce }: Database, secret: KeyObject) {
	/** Notes something in a row that many requests share: in one statement, so that none waits for another's transaction. Never rejects. */
	async function note(sql: string, values: Value[]): Promise<void> {
		await (atOnce?.(sql, values) ?? write((run) => run(sql, values))).catch(() => {});
	}
	const select = async (which: string, values?: Value[]): Promise<ApiKey[]> => {
		const rows = await read<KeyRow>(
			`SELECT id, hash, content AS text, key, made_at AS "madeAt", ends_at AS "endsAt", revoked, last_used AS "lastUsed", leads
			FROM api_keys LEFT JOIN lead_keys ON slot = key_slot ${which}`,
			values,
		);
		return rows.map(keyFrom);
	};
	return {
		/** The owner is sealed, as a lead is, and a keyed hash finds it. */
		async insert({ id, hash, madeAt, endsAt, ...content }: NewApiKey): Promise<void> {
			const { key, text } = seal(JSON.stringify(content satisfies Content));
			const person = personHash(secret, content.owner.email);
			await write(async (run) => {
				const slot = await keepKey(run, key);
				const row = { id, hash, person, key_slot: slot, content: text, made_at: madeAt, ends_at: endsAt };
				await insertRow(run, 'api_keys', row);
			});
		},
		find: async (id: string) => (await select('WHERE id = $1', [id])).at(0),
		/** Returns all keys, newest first. They are issued by hand, so there are few. */
		list: () => select('ORDER BY made_at DESC, id'),
		/** Returns the keys of a person, newest first. @param email in any case, its domain in any form */
		keysOf: (email: string) => select('WHERE person = $1 ORDER BY made_at DESC, id', [personHash(secret, email)]),
		async revoke(id: string, now: number): Promise<void> {
			const revoke = 'UPDATE api_keys SET revoked = 1, ends_at = CASE WHEN ends_at < $2 THEN ends_at ELSE $2 END WHERE id = $1';
			await write((run) => run(revoke, [id, now]));
		},
		used: (id: string, day: string) => note('UPDATE api_keys SET last_used = $2 WHERE id = $1', [id, day]),
		counted: (id: string) => note('UPDATE api_keys SET leads = leads + 1 WHERE id = $1', [id]),
	};
}

/** Deletes the API keys that a condition selects, in the transaction of other work. @returns how many */
export async function deleteApiKeys(run: Run, condition: string, value: Value): Promise<number> {
	const deleted = await run<{ slot: number }>(`DELETE FROM api_keys WHERE ${condition} RETURNING key_slot AS slot`, [value]);
	for (const { slot } of deleted) await destroyKey(run, slot);
	return deleted.length;
}

type KeyRow = Sealed & Pick<ApiKey, 'id' | 'hash' | 'leads' | 'lastUsed' | 'madeAt' | 'endsAt'> & { revoked: number };

/** The sealed part of a key, as JSON: no query needs it. */
type Content = Pick<ApiKey, 'owner' | 'scopes' | 'limit' | 'broken'>;

/** A broken row must not keep other rows from being read, nor a lead sent with its key from being delivered. */
function keyFrom({ key, text, revoked, ...row }: KeyRow): ApiKey {
	const content = JSON.parse(unseal({ key, text })) as Content | object;
	return { ...row, revoked: revoked === 1, ...('owner' in content ? content : unreadable) };
}

const unreadable: Content = {
	broken: true,
	owner: { name: 'an unknown owner', email: 'unreadable' },
	scopes: [],
	limit: { limit: 0, window: 1 },
};
