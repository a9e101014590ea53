import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { isWhole, keyFormOf } from '../facts/facts.ts';
import { service } from '../facts/load.ts';
import { type Answer, problem } from './answer.ts';
import type { ClientRequest } from './request.ts';
import { isSame, keyedHash } from '../lead/email-address.ts';
import { type ApiKey, isActive, type KeyStore } from '../store/key-store.ts';
import { type Credential, type Quota, quotaHeaders, type RateLimit } from './rate.ts';

const form = keyFormOf(service.identifier);
const keyForm = new RegExp(form.pattern);
export const { publicTestKey } = form;

/** Returns whether a text has the form of a key and a right checksum. If not, there is no need to look it up. */
export const looksLikeKey = (text: string): boolean => keyForm.exec(text)?.[0] === text && isWhole(text);

/** Returns the hash that is stored of a key: it reveals nothing, and nobody can make it without the store's secret. */
export const keyHash = (secret: KeyObject, key: string): string => keyedHash(secret, 'api key', key);

/** Returns the name of a key for people and logs: 12 hexadecimal digits, the beginning of its hash. */
export const keyId = (hash: string): string => Buffer.from(hash, 'base64url').toString('hex', 0, 6);

/** How long a key that was looked up is remembered. A revoked key may work for that long. */
const MEMORY_MS = 30_000;

/**
 * Returns the function that finds the API key of a request, or answers a request whose key does not work (RFC 6750 section 3).
 * Returns undefined if there is no key, or if its scheme is not ours, such as a proxy's.
 * @param keys undefined: no keys are issued, and only the public test key works
 * @param secret of the store
 * @param limit also counts keys that do not exist. It is asked after the store, so that no working key is refused because of other
 * clients at its address: past the limit each guess still costs a look into the store
 */
export function authenticateBy(keys: KeyStore | undefined, secret: KeyObject, limit: RateLimit | undefined, log: Logger) {
	const known = new LRUCache<string, ApiKey>({ max: 1000, ttl: MEMORY_MS, fetchMethod: (hash) => lookUp(hash, keys!) });
	return async (request: ClientRequest): Promise<Credential | Answer | undefined> => {
		if (hasMisplacedKey(request)) return refused;
		const [found, key = ''] = bearer.exec(request.headers.get('authorization') ?? '') ?? [];
		if (found === undefined) return undefined;
		if (key === publicTestKey) return { test: true };
		if (keys === undefined || !looksLikeKey(key)) return refused;
		const hash = keyHash(secret, key);
		try {
			const apiKey = await known.fetch(hash);
			if (apiKey === undefined) return refuseGuess(await limit?.({ address: request.address }, 'guess'));
			if (!isActive(apiKey)) return refused;
			return apiKey.scopes.includes('contact:write') ? apiKey : outOfScope;
		} catch (error) {
			log.error({ err: error }, 'A lead was refused: the store cannot look up its API key.');
			return problem('unavailable');
		}
	};
}

/** RFC 9110 section 11.1. */
const bearer = /^bearer(?: +(.*))?$/i;

/**
 * Returns whether the address or a header holds a key anywhere but behind `Bearer`. No key is read there, but a request with the test key
 * must not reach the sales team because of the header that its sender put it into. The body is not searched: a visitor may write anything.
 */
function hasMisplacedKey({ headers, url }: ClientRequest): boolean {
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

/**
 * Answers a key that does not work, or is where no key is read. Has no `resource_metadata` (RFC 9728 section 5.1): clients must
 * reject it unless its metadata names the very URL that they requested (section 3.3), and our resource is the origin.
 */
const refused = problem('invalid-credential', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });

const outOfScope = problem('insufficient-scope', {
	headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="contact:write"' },
});

/** Answers a key that has the right form but does not exist, as when somebody guesses keys. */
function refuseGuess(quota: Quota | undefined): Answer {
	if (!quota?.exceeded) return refused;
	const detail =
		'Too many requests came from this address with a key that does not work. Correct the key or leave it out, and send it again at once. Or wait the number of seconds in Retry-After.';
	return problem('rate-limited', { headers: quotaHeaders(quota), detail });
}

async function lookUp(hash: string, keys: KeyStore): Promise<ApiKey | undefined> {
	const found = await keys.find(keyId(hash));
	// An id is only the beginning of a hash, so the whole one is compared, in constant time.
	if (found === undefined || !isSame(found.hash, hash)) return undefined;
	const today = new Date().toISOString().slice(0, 10);
	if (found.lastUsed !== today && isActive(found)) await keys.used(found.id, today);
	return found;
}
