import { type KeyObject, randomInt, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { BASE62, isWhole, keyFormOf, RANDOM, withChecksum } from '../facts/facts.ts';
import { service } from '../facts/load.ts';
import { type Answer, problem } from './answer.ts';
import type { ClientRequest } from './request.ts';
import { keyedHash } from '../lead/email-address.ts';
import { type ApiKey, isActive, type KeyStore } from '../store/key-store.ts';
import { type Quota, quotaHeaders, type RateLimit } from './rate.ts';

const { prefix, pattern, publicTestKey } = keyFormOf(service.identifier);
const keyForm = new RegExp(pattern);
const wholePattern = new RegExp(`^${pattern}$`);

export { publicTestKey };

/** Returns a new API key: a prefix for the service, random characters, and their checksum. */
export const newKey = (): string => withChecksum(prefix + Array.from({ length: RANDOM }, randomCharacter).join(''));

/** Returns whether a text has the form of a key and a right checksum. If not, there is no need to look it up. */
export const isKey = (text: string): boolean => wholePattern.test(text) && isWhole(text);

/** Returns the hash that is stored of a key: it reveals nothing, and nobody can make it without the store's secret. */
export const keyHash = (secret: KeyObject, key: string): string => keyedHash(secret, 'api key', key);

/** Returns the name of a key for people and logs: 12 hexadecimal digits, the beginning of its hash. */
export const keyId = (hash: string): string => Buffer.from(hash, 'base64url').toString('hex', 0, 6);

const randomCharacter = () => BASE62[randomInt(BASE62.length)]!;

export interface AuthenticationDeps {
	findKey: FindKey;
	/** Also counts keys that do not exist. A working key is never refused because of other clients at its address. Undefined: no limit. */
	limit: RateLimit | undefined;
}

/** The rights of a request, from its key. */
export interface Credential extends Pick<ApiKey, 'scopes'>, Partial<Pick<ApiKey, 'id' | 'limit'>> {
	/** The public test key belongs to everybody: it has no id and no limit of its own. */
	test?: true;
}

/** The scope that the key must have. */
const SCOPE = 'contact:write';

/**
 * Returns the credential of a request, or the answer that refuses it (RFC 6750 section 3). Returns undefined if there is none, or
 * if its scheme is not ours, such as a proxy's.
 */
export async function authenticate(
	request: Pick<ClientRequest, 'headers' | 'url' | 'address'>,
	{ findKey, limit }: AuthenticationDeps,
): Promise<Credential | Answer | undefined> {
	if (hasMisplacedKey(request)) return refuseKey();
	const [found, key = ''] = bearer.exec(request.headers.get('authorization') ?? '') ?? [];
	if (found === undefined) return undefined;
	const credential = await findKey(key);
	if (credential === 'unavailable') return problem('unavailable');
	if (credential === undefined) return refuseKey();
	if (credential === 'unknown') {
		const quota = await limit?.({ address: request.address }, 'guess');
		return quota?.exceeded ? tooManyRefused(quota) : refuseKey();
	}
	if (credential.scopes.includes(SCOPE)) return credential;
	return problem('insufficient-scope', { headers: challenge('insufficient_scope', SCOPE) });
}

/** RFC 9110 section 11.1. */
const bearer = /^bearer(?: +(.*))?$/i;

/**
 * Returns whether the address or a header holds a key anywhere but behind `Bearer`. No key is read there, but a request with the
 * test key must not reach the sales team because of where its sender put it.
 */
function hasMisplacedKey({ headers, url }: Pick<ClientRequest, 'headers' | 'url'>): boolean {
	if (keyForm.test(url)) return true;
	for (const name of headers.keys()) {
		const value = headers.get(name)!;
		if (keyForm.test(value) && !(name === 'authorization' && bearer.test(value))) return true;
		if (name === 'authorization' && keyForm.test(basicCredentials(value))) return true;
	}
	return false;
}

/** Returns `user:password` of RFC 7617, in which curl and Postman send a key that they are told is a user name. */
const basicCredentials = (authorization: string): string =>
	Buffer.from(/^basic +(.*)$/i.exec(authorization)?.[1] ?? '', 'base64').toString();

/** Answers a key that does not work, or stands where no key is read. */
const refuseKey = (): Answer => problem('invalid-credential', { headers: challenge('invalid_token') });

const tooManyRefused = (quota: Quota) =>
	problem('rate-limited', {
		headers: quotaHeaders(quota),
		detail:
			'Too many requests came from this address with a key that does not work. Correct the key, and wait the number of seconds in Retry-After.',
	});

/**
 * RFC 6750 section 3. Has no `resource_metadata` (RFC 9728 section 5.1): clients must reject it unless its metadata names the
 * very URL that they requested (section 3.3), and our resource is the origin.
 */
const challenge = (error: string, scope?: string) => ({
	'www-authenticate': `Bearer error="${error}"${scope === undefined ? '' : `, scope="${scope}"`}`,
});

/**
 * Returns what a key allows. Returns undefined if it is mistyped, expired or revoked; `unknown` if it has the form of a key but none
 * exists, as when somebody guesses keys; `unavailable` if the store fails, which is logged.
 */
export type FindKey = (key: string) => Promise<Credential | 'unknown' | 'unavailable' | undefined>;

/** In milliseconds: how long a key that was looked up is remembered. A revoked key may work for that long. */
const MEMORY = 30_000;

/**
 * Returns the function that finds keys in a store.
 *
 * @param keys undefined: no keys are issued, and only the public test key works
 * @param secret of the store
 */
export function findKeysIn(keys: KeyStore | undefined, secret: KeyObject, log: Logger): FindKey {
	const known = new LRUCache<string, ApiKey>({ max: 1000, ttl: MEMORY });
	return async (key) => {
		if (key === publicTestKey) return { scopes: Object.keys(service.scopes), test: true };
		if (keys === undefined || !isKey(key)) return undefined;
		const hash = keyHash(secret, key);
		try {
			const found = known.get(hash) ?? (await lookUp(hash, keys));
			if (found === undefined) return 'unknown';
			// With the time that is left of its memory.
			known.set(hash, found, { noUpdateTTL: true });
			return isActive(found) ? found : undefined;
		} catch (error) {
			log.error({ err: error }, 'A lead was refused: the store cannot look up its API key.');
			return 'unavailable';
		}
	};
}

async function lookUp(hash: string, keys: KeyStore): Promise<ApiKey | undefined> {
	const found = await keys.find(keyId(hash));
	// In constant time, because an id is only the beginning of a hash.
	if (found === undefined || !timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash))) return undefined;
	const today = new Date().toISOString().slice(0, 10);
	if (found.lastUsed !== today && isActive(found)) await keys.used(found.id, today);
	return found;
}
