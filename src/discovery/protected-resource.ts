import type { Source } from './source.ts';

/** `/.well-known/oauth-protected-resource` (RFC 9728 section 2). `resource` must be the origin to the letter (section 3.3). */
export function protectedResource({ service, origin, links }: Source) {
	return {
		resource: origin,
		authorization_servers: [origin],
		scopes_supported: Object.keys(service.scopes),
		bearer_methods_supported: ['header'],
		resource_name: `${service.name} API`,
		resource_documentation: links.authMd,
		// Members of our own, which section 2 allows.
		oauth_status: 'planned',
		api_keys: service.keys,
	};
}
