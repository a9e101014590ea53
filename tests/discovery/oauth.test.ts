import { expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { paths } from '../../src/facts/links.ts';
import { jsonAt, keyless, links, origin } from './published.ts';

test('the protected resource is the origin, to the letter', () => {
	expect(jsonAt(paths.protectedResource)).toEqual({
		resource: origin,
		authorization_servers: [origin],
		scopes_supported: Object.keys(service.scopes),
		bearer_methods_supported: ['header'],
		resource_name: `${service.name} API`,
		resource_documentation: links.authMd,
		oauth_status: 'planned',
		api_keys: 'issued',
	});
	expect(jsonAt(paths.protectedResource, keyless)).toMatchObject({ oauth_status: 'planned', api_keys: 'none' });
});

test('the metadata says that OAuth is planned, names no endpoint, and tells agents that keys are issued by hand', () => {
	expect(jsonAt(paths.openidConfiguration)).toEqual(jsonAt(paths.authorizationServer));
	expect(jsonAt(paths.jwks)).toEqual({ keys: [] });
	expect(jsonAt(paths.authorizationServer)).toEqual({
		issuer: origin,
		jwks_uri: links.jwks,
		scopes_supported: Object.keys(service.scopes),
		service_documentation: links.authMd,
		status: 'planned',
		available: false,
		token_endpoint_available: false,
		agent_auth: {
			skill: links.authMd,
			register_uri: links.contact,
			claim_uri: `${links.authMd}#claim`,
			identity_types_supported: ['anonymous'],
			anonymous: { credential_types_supported: ['api_key'] },
			registration: 'manual',
			automated_registration: false,
		},
	});
});

test('where no keys are issued, agents are told of no way to ask for one', () => {
	const { agent_auth } = jsonAt(paths.authorizationServer, keyless);
	expect(agent_auth).toEqual({ skill: links.authMd, identity_types_supported: ['anonymous'] });
});
