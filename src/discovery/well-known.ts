import { operations } from '../api/operations.ts';
import type { Page, Source } from './source.ts';

/* The small documents at addresses that standards name. */

/** `/.well-known/oauth-protected-resource` (RFC 9728 section 2). `resource` must be the origin to the letter (section 3.3). */
export const protectedResource = ({ service, origin, links }: Source) => ({
	resource: origin,
	authorization_servers: [origin],
	scopes_supported: Object.keys(service.scopes),
	bearer_methods_supported: ['header'],
	resource_name: `${service.name} API`,
	resource_documentation: links.authMd,
	// Members of our own, which section 2 allows.
	oauth_status: 'planned',
	api_keys: service.keys,
});

/**
 * `/.well-known/oauth-authorization-server` and, with the same body, `/.well-known/openid-configuration`.
 *
 * OAuth is planned. The document names no endpoint, and says so in members of our own, which RFC 8414 section 2 allows. So it meets
 * neither RFC 8414 nor OpenID Connect Discovery 1.0.
 *
 * The members of `agent_auth` are those of auth.md v0.1.0. The last two, our own, say that we issue keys by hand. In v0.1.0 programs post
 * to `register_uri` for a credential, and to `claim_uri` to bind it to a person. Here both lead to pages for people: the form that asks
 * for a key, and the text on how it comes. Without `claim_uri`, clients take `anonymous` for incomplete. `credential_types_supported`
 * says that an API key comes. To ask for one needs no proof of identity. The names of later versions (`identity_endpoint`,
 * `claim_endpoint`) promise endpoints that do not exist.
 */
export const authorizationServer = ({ service, origin, links }: Source) => ({
	issuer: origin,
	jwks_uri: links.jwks,
	service_documentation: links.authMd,
	scopes_supported: Object.keys(service.scopes),
	status: 'planned',
	available: false,
	token_endpoint_available: false,
	agent_auth: {
		skill: links.authMd,
		identity_types_supported: ['anonymous'],
		...(service.keys === 'issued' && {
			register_uri: links.contact,
			claim_uri: `${links.authMd}#claim`,
			anonymous: { credential_types_supported: ['api_key'] },
			registration: 'manual',
			automated_registration: false,
		}),
	},
});

/** `/.well-known/api-catalog`: RFC 9727, as a linkset in JSON (RFC 9264 section 4.2). */
export function apiCatalog({ links, origin }: Pick<Source, 'links' | 'origin'>) {
	const addresses = operations.map(({ path }) => origin + path);
	return {
		linkset: [
			{ anchor: links.apiCatalog, item: addresses.map((href) => ({ href })) },
			// The relations of RFC 8631: each `type` is the target's media type.
			...addresses.map((anchor) => ({
				anchor,
				'service-desc': [{ href: links.openapi, type: 'application/json' }],
				'service-doc': [{ href: links.apiReference, type: 'text/html' }],
				'service-meta': [{ href: links.protectedResource, type: 'application/json' }],
				status: [{ href: links.getStatus, type: 'application/json' }],
			})),
		],
	};
}

/** `/robots.txt` (RFC 9309), with the owner's wishes for the use of the content (contentsignals.org). */
export function robotsTxt({ service: { contentSignals }, links }: Source): string {
	const { search, aiInput, aiTrain } = contentSignals;
	return `User-agent: *
Content-Signal: search=${yesNo(search)}, ai-input=${yesNo(aiInput)}, ai-train=${yesNo(aiTrain)}
Allow: /

Sitemap: ${links.sitemap}
`;
}

const yesNo = (allowed: boolean) => (allowed ? 'yes' : 'no');

/** RFC 9116 section 2.5.5 wants less than a year. */
const DAYS_VALID = 180;

/**
 * `/.well-known/security.txt` (RFC 9116). It expires at the start of a day, so that two builds of one day are equal. Only another
 * build renews this file: the server warns operators in time (`src/server/backend.ts`).
 */
export const securityTxt = ({ service, links, builtOn }: Source): string => `Contact: mailto:${service.emails.security}
Expires: ${expiryOf(builtOn).toISOString()}
Preferred-Languages: en
Canonical: ${links.securityTxt}
`;

/** Returns when `security.txt` of a build expires. */
export const expiryOf = (builtOn: string): Date => new Date(Date.parse(builtOn) + DAYS_VALID * 86_400_000);

/** `/sitemap.xml` (sitemaps.org 0.9): the pages that search engines may list, with their addresses in all languages. */
export function sitemap({ origin, pages }: Source): string {
	// Paths of pages have letters, digits, hyphens and slashes: nothing to escape.
	const addressOf = (path: string) => new URL(path, origin).href;
	const entry = ({ path, translations = [] }: Page) => {
		const all = translations.map((one) => `<xhtml:link rel="alternate" hreflang="${one.tag}" href="${addressOf(one.path)}"/>`);
		return `<loc>${addressOf(path)}</loc>${all.join('')}`;
	};
	return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${pages.map((page) => `\t<url>${entry(page)}</url>`).join('\n')}
</urlset>
`;
}
