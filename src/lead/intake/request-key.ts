import type { ClientRequest } from '../../http/request.ts';
import { keyFormOf } from '../../facts/key-form.ts';
import { service } from '../../facts/load.ts';
import { leadSchema } from '../lead.ts';

const keyForm = new RegExp(keyFormOf(service.identifier).pattern, 'i');

/** Names of headers and members that clients put credentials in, such as `X-API-Key`, `Cookie` and `access_token`. */
const credentialName = /auth|bearer|cookie|credential|key|password|secret|token/i;

/**
 * Matches the scheme `Bearer`, in any case, and everything behind it (RFC 9110 section 11.1): also text that no scheme allows
 * behind its name, such as a tab. `Bearer` may stand behind the comma of another credential.
 */
const bearer = /(?:^|,)[ \t]*bearer(?![\w!#$%&'*+.^`|~-]) *([^]*)$/i;

/** Returns the key in `Authorization`: the text behind `Bearer`. Returns undefined if there is no `Bearer`. */
export const bearerKey = ({ headers }: Pick<ClientRequest, 'headers'>): string | undefined =>
	bearer.exec(headers.get('authorization') ?? '')?.[1];

/**
 * Returns whether the query, or a header for credentials, holds text in the form of a key. No key is accepted there, but a request
 * with a test key must not reach the sales team because of where its sender put the key.
 */
export function hasMisplacedKey({ headers, url }: Pick<ClientRequest, 'headers' | 'url'>): boolean {
	// Decodes escapes in the query.
	if (url.includes('?') && keyForm.test(new URLSearchParams(url).toString())) return true;
	for (const name of headers.keys())
		if (credentialName.test(name) && name !== 'idempotency-key' && holdsKey(name, headers.get(name)!)) return true;
	return false;
}

function holdsKey(name: string, value: string): boolean {
	const rest = name === 'authorization' ? value.replace(bearer, '') : value;
	if (keyForm.test(rest)) return true;
	// RFC 7617 section 2: the credentials of `Basic` are in Base64.
	const ofBasic = [...rest.matchAll(/basic[ \t]+([\w+/=-]+)/gi)].map(([, encoded]) =>
		Buffer.from(encoded!, 'base64').toString('latin1'),
	);
	return ofBasic.some((text) => keyForm.test(text));
}

/**
 * Returns whether a member for credentials, such as `api_key`, holds text in the form of a key. The members of a lead do not
 * count: a visitor may quote a key in the message.
 *
 * @param inCredential whether these members are inside a member for credentials
 * @param depth how many levels of nested objects and lists to search
 */
export function hasKeyMember(members: object, inCredential = false, depth = 3): boolean {
	// By name: `Object.entries` takes three times as long for a body of thousands of lists.
	return Object.keys(members).some((name) => {
		const value = (members as Record<string, unknown>)[name];
		const isCredential = inCredential || (!Array.isArray(members) && credentialName.test(name) && !(name in leadSchema.shape));
		if (typeof value === 'string') return isCredential && keyForm.test(value);
		return typeof value === 'object' && value !== null && depth > 0 && hasKeyMember(value, isCredential, depth - 1);
	});
}
