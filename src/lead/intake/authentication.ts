import type { Answer } from '../../http/answer.ts';
import { problem } from '../../http/problem.ts';
import type { ClientRequest } from '../../http/request.ts';
import { links } from '../../service/load.ts';
import type { Credential, Keyring } from './credential.ts';
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
	{ headers, address }: Pick<ClientRequest, 'headers' | 'address'>,
	scope: string,
	{ keyring, refusals }: AuthenticationDeps,
): Promise<Credential | Answer | undefined> {
	const key = bearer.exec(headers.get('authorization') ?? '')?.[1];
	if (key === undefined) return undefined;
	const credential = await keyring.find(key);
	if (credential === 'unavailable') return problem('unavailable');
	if (credential === undefined) return doesNotWork();
	if (credential === 'unknown') {
		const quota = await refusals.count({ address });
		return quota?.exceeded ? tooManyRefused(quota) : doesNotWork();
	}
	if (credential.scopes.includes(scope)) return credential;
	return problem('insufficient-scope', { headers: challenge('insufficient_scope', scope) });
}

/**
 * The scheme, in either case, and whatever follows it (RFC 9110 section 11.1): also what no scheme can have behind its name, such as a tab,
 * and behind the comma of another credential. Who sends a test key must not reach the sales team because of how it was written.
 */
const bearer = /(?:^|,)[ \t]*bearer(?![\w!#$%&'*+.^`|~-]) *(.*)$/i;

const doesNotWork = () => problem('invalid-credential', { headers: challenge('invalid_token') });

const tooManyRefused = (quota: Quota) =>
	problem('rate-limited', {
		headers: quotaHeaders(quota),
		detail:
			'Too many requests came from this address with a key that does not work. Correct the key, and wait as long as Retry-After says.',
	});

/** RFC 6750 section 3; RFC 9728 section 5.1. */
const challenge = (error: string, scope?: string) => ({
	'www-authenticate': [
		`Bearer error="${error}"`,
		...(scope === undefined ? [] : [`scope="${scope}"`]),
		`resource_metadata="${links.protectedResource}"`,
	].join(', '),
});
