import type { Answer } from '../../http/answer.ts';
import { problem } from '../../http/problem.ts';
import type { ClientRequest } from '../../http/request.ts';
import { keyFormOf } from '../../facts/key-form.ts';
import { service } from '../../facts/load.ts';
import { type Quota, quotaHeaders, type RateLimit } from './rate-limit.ts';
import type { ApiKey } from '../store/key-store.ts';

export interface AuthenticationDeps {
	keyring: Keyring;
	/** Also counts keys that do not exist. A working key is never refused because of other clients at its address. */
	rateLimit: Pick<RateLimit, 'count'>;
}

/** The scope that the key must have. */
const SCOPE = 'contact:write';

/**
 * Returns the credential of a request, or the answer that refuses it (RFC 6750 section 3). Returns undefined if there is none, or
 * if its scheme is not ours, such as a proxy's.
 */
export async function authenticate(
	request: Pick<ClientRequest, 'headers' | 'url' | 'address'>,
	{ keyring, rateLimit }: AuthenticationDeps,
): Promise<Credential | Answer | undefined> {
	if (hasMisplacedKey(request)) return refuseKey();
	const [found, key = ''] = bearer.exec(request.headers.get('authorization') ?? '') ?? [];
	if (found === undefined) return undefined;
	const credential = await keyring.find(key);
	if (credential === 'unavailable') return problem('unavailable');
	if (credential === undefined) return refuseKey();
	if (credential === 'unknown') {
		const quota = await rateLimit.count({ address: request.address }, 'guess');
		return quota?.exceeded ? tooManyRefused(quota) : refuseKey();
	}
	if (credential.scopes.includes(SCOPE)) return credential;
	return problem('insufficient-scope', { headers: challenge('insufficient_scope', SCOPE) });
}

/** RFC 9110 section 11.1. */
const bearer = /^bearer(?: +(.*))?$/i;

const keyForm = new RegExp(keyFormOf(service.identifier).pattern);

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

/** The rights of a request, from its key. */
export interface Credential extends Pick<ApiKey, 'scopes'>, Partial<Pick<ApiKey, 'id' | 'limit'>> {
	/** The public test key belongs to everybody: it has no id and no limit of its own. */
	test?: true;
}

/** Knows the keys that work. */
export interface Keyring {
	/**
	 * Returns what the key allows. Returns undefined if it is mistyped, expired or revoked; `unknown` if it has the form of a key
	 * but none exists, as when somebody guesses keys; `unavailable` if the store fails, which is logged.
	 */
	find(key: string): Promise<Credential | 'unknown' | 'unavailable' | undefined>;
}
