import type { Answer } from '../../http/answer.ts';
import { problem } from '../../http/problem.ts';
import type { ClientRequest } from '../../http/request.ts';
import type { Credential, Keyring } from './credential.ts';
import { keySent } from './misplaced-key.ts';
import { type Quota, quotaHeaders, type RateLimit } from './rate-limit.ts';

export interface AuthenticationDeps {
	keyring: Keyring;
	/** Counts keys that nobody has, so that nobody tries them out. A key that works is never refused for what its neighbours send. */
	refusals: Pick<RateLimit, 'count'>;
}

/**
 * The credential that a request was sent with; undefined: none, or one of a scheme that is not ours, such as a proxy's. Otherwise the answer
 * that refuses it (RFC 6750 section 3).
 *
 * @param scope what the key must be good for
 */
export async function authenticate(
	request: Pick<ClientRequest, 'headers' | 'address'>,
	scope: string,
	{ keyring, refusals }: AuthenticationDeps,
): Promise<Credential | Answer | undefined> {
	const key = keySent(request);
	if (key === undefined) return undefined;
	const credential = await keyring.find(key);
	if (credential === 'unavailable') return problem('unavailable');
	if (credential === undefined) return refuseKey();
	if (credential === 'unknown') {
		const quota = await refusals.count({ address: request.address });
		return quota?.exceeded ? tooManyRefused(quota) : refuseKey();
	}
	if (credential.scopes.includes(scope)) return credential;
	return problem('insufficient-scope', { headers: challenge('insufficient_scope', scope) });
}

/** The answer to a key that does not work, or does not stand where keys are read. */
export const refuseKey = (headers: Record<string, string> = {}): Answer =>
	problem('invalid-credential', { headers: { ...headers, ...challenge('invalid_token') } });

const tooManyRefused = (quota: Quota) =>
	problem('rate-limited', {
		headers: quotaHeaders(quota),
		detail:
			'Too many requests came from this address with a key that does not work. Correct the key, and wait as long as Retry-After says.',
	});

/**
 * RFC 6750 section 3. Without `resource_metadata` (RFC 9728 section 5.1), which clients must reject unless it leads to metadata of the very
 * URL that was asked for (section 3.3): our resource is the origin.
 */
const challenge = (error: string, scope?: string) => ({
	'www-authenticate': `Bearer error="${error}"${scope === undefined ? '' : `, scope="${scope}"`}`,
});
