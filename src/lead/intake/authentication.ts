import type { Answer } from '../../http/answer.ts';
import { problem } from '../../http/problem.ts';
import type { ClientRequest } from '../../http/request.ts';
import { bearerKey } from './request-key.ts';
import { type Quota, quotaHeaders, type RateLimit } from './rate-limit.ts';
import type { ApiKey } from '../store/key-store.ts';

export interface AuthenticationDeps {
	keyring: Keyring;
	/** Counts keys that do not exist, against guessing. A working key is never refused because of other clients at its address. */
	unknownKeys: Pick<RateLimit, 'count'>;
}

/** The scope that the key must have. */
const SCOPE = 'contact:write';

/**
 * Returns the credential of a request, or the answer that refuses it (RFC 6750 section 3). Returns undefined if there is none, or
 * if its scheme is not ours, such as a proxy's.
 */
export async function authenticate(
	request: Pick<ClientRequest, 'headers' | 'address'>,

	{ keyring, unknownKeys }: AuthenticationDeps,
): Promise<Credential | Answer | undefined> {
	const key = bearerKey(request);
	if (key === undefined) return undefined;
	const credential = await keyring.find(key);
	if (credential === 'unavailable') return problem('unavailable');
	if (credential === undefined) return refuseKey();
	if (credential === 'unknown') {
		const quota = await unknownKeys.count({ address: request.address });
		return quota?.exceeded ? tooManyRefused(quota) : refuseKey();
	}
	if (credential.scopes.includes(SCOPE)) return credential;
	return problem('insufficient-scope', { headers: challenge('insufficient_scope', SCOPE) });
}

/** Answers a key that does not work, or stands where no key is read. */
export const refuseKey = (headers: Record<string, string> = {}): Answer =>
	problem('invalid-credential', { headers: { ...headers, ...challenge('invalid_token') } });

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

/** The rights of a request, from its key. The public test key belongs to everybody: it has no id, limit or sender of its own. */
export type Credential = Pick<ApiKey, 'scopes' | 'test'> & Partial<Pick<ApiKey, 'id' | 'sender' | 'limit'>>;

/** Knows the keys that work. */
export interface Keyring {
	/**
	 * Returns what the key allows. Returns undefined if it is mistyped, expired or revoked; `unknown` if it has the form of a key
	 * but none exists, as when somebody guesses keys; `unavailable` if the store fails, which is logged.
	 */
	find(key: string): Promise<Credential | 'unknown' | 'unavailable' | undefined>;
}
