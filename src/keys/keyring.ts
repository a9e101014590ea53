import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { service } from '../facts/load.ts';
import { type ApiKey, type KeyStore, isActive } from '../lead/store/key-store.ts';
import { isKey, keyHash, keyId, publicTestKey } from './key.ts';
import type { Credential, Keyring } from '../lead/intake/authentication.ts';

/** In milliseconds: how long a key that was looked up is remembered. A revoked key may work for that long. */
const MEMORY = 30_000;

/**
 * Returns the keyring of a store.
 *
 * @param store undefined: no keys are issued, and only the public test key works
 * @param secret of the store
 */
export function keyringOf(store: KeyStore | undefined, secret: KeyObject, log: Logger): Keyring {
	const known = new LRUCache<string, ApiKey>({ max: 1000, ttl: MEMORY });
	return {
		async find(key) {
			if (key === publicTestKey) return publicCredential;
			if (store === undefined || !isKey(key)) return undefined;
			const hash = keyHash(secret, key);
			try {
				const found = known.get(hash) ?? (await lookUp(hash, store));
				if (found === undefined) return 'unknown';
				return isActive(found) ? found : undefined;
			} catch (error) {
				log.error({ err: error }, 'A lead was refused: the store cannot look up its API key.');
				return 'unavailable';
			}
		},
	};

	async function lookUp(hash: string, keys: KeyStore): Promise<ApiKey | undefined> {
		const found = await keys.find(keyId(hash));
		// In constant time, because an id is only the beginning of a hash.
		if (found === undefined || !timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash))) return undefined;
		const today = new Date().toISOString().slice(0, 10);
		if (found.lastUsed !== today && isActive(found)) await keys.used(found.id, today);
		known.set(hash, found);
		return found;
	}
}

const publicCredential: Credential = { scopes: Object.keys(service.scopes), test: true };
