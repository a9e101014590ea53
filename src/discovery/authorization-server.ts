import type { Links } from '../facts/links.ts';
import type { Service } from '../facts/schema.ts';
import type { Source } from './source.ts';

/**
 * `/.well-known/oauth-authorization-server` and, with the same body, `/.well-known/openid-configuration`.
 *
 * OAuth is planned: it names no endpoint and says so in members of our own, which RFC 8414 section 2 allows. So it meets neither
 * that nor OpenID Connect Discovery 1.0.
 */
export function authorizationServer({ service, origin, links }: Source) {
	return {
		issuer: origin,
		jwks_uri: links.jwks,
		service_documentation: links.authMd,
		scopes_supported: Object.keys(service.scopes),
		status: 'planned',
		available: false,
		token_endpoint_available: false,
		agent_auth: agentAuth(service, links),
	};
}

/**
 * Members of auth.md v0.1.0. The last two, our own, say that we issue keys by hand.
 *
 * In v0.1.0 programs post to `register_uri` for a credential, and to `claim_uri` to bind it to a person. Here both lead to pages
 * for people: the form that asks for a key, and the text on how it comes. Without `claim_uri`, clients take `anonymous` for
 * incomplete. `credential_types_supported` says that an API key comes; nobody has to prove an identity to ask for one. The names
 * of later versions (`identity_endpoint`, `claim_endpoint`) promise endpoints, and none exists.
 */
const agentAuth = ({ keys }: Service, links: Links) => ({
	skill: links.authMd,
	identity_types_supported: ['anonymous'],
	...(keys === 'issued' && {
		register_uri: links.contact,
		claim_uri: `${links.authMd}#claim`,
		anonymous: { credential_types_supported: ['api_key'] },
		registration: 'manual',
		automated_registration: false,
	}),
});
