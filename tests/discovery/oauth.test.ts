import { createLocalJWKSet } from 'jose';
import { expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { serviceSchema } from '../../src/facts/schema.ts';
import { paths } from '../../src/facts/links.ts';
import { jsonAt, keyless, links, live, liveOauth, origin, planned } from './published.ts';

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
});

test('the protected resource says which part is planned, and whether keys are issued', () => {
	expect(jsonAt(paths.protectedResource, keyless)).toMatchObject({ oauth_status: 'planned', api_keys: 'none' });
	expect(jsonAt(paths.protectedResource, live)).toMatchObject({ oauth_status: 'live', api_keys: 'issued' });
});

test('while OAuth is planned, the metadata says so and names no endpoint', () => {
	const { agent_auth: _, ...metadata } = jsonAt(paths.authorizationServer);
	expect(metadata).toEqual({
		issuer: origin,
		jwks_uri: links.jwks,
		scopes_supported: Object.keys(service.scopes),
		service_documentation: links.authMd,
		status: 'planned',
		available: false,
		token_endpoint_available: false,
	});
});

test.each([planned, live])('openid-configuration is the authorization server metadata, OAuth $service.oauth.state', (source) => {
	expect(jsonAt(paths.openidConfiguration, source)).toEqual(jsonAt(paths.authorizationServer, source));
});

test.each([planned, live])('agents are told that keys are issued by hand, OAuth $service.oauth.state', (source) => {
	expect(jsonAt(paths.authorizationServer, source)['agent_auth']).toEqual({
		skill: links.authMd,
		register_uri: links.contact,
		claim_uri: `${links.authMd}#claim`,
		identity_types_supported: ['anonymous'],
		anonymous: { credential_types_supported: ['api_key'] },
		registration: 'manual',
		automated_registration: false,
	});
});

test('where no keys are issued, agents are told of no way to ask for one', () => {
	expect(jsonAt(paths.authorizationServer, keyless)['agent_auth']).toEqual({
		skill: links.authMd,
		identity_types_supported: ['anonymous'],
	});
});

test('once OAuth is live, the metadata has what RFC 8414 and OpenID Connect Discovery require', () => {
	expect(jsonAt(paths.authorizationServer, live)).toMatchObject({
		issuer: origin,
		authorization_endpoint: 'https://login.clinic-phone.test/authorize',
		token_endpoint: 'https://login.clinic-phone.test/token',
		jwks_uri: links.jwks,
		response_types_supported: ['code'],
		grant_types_supported: ['authorization_code'],
		subject_types_supported: ['public'],
		id_token_signing_alg_values_supported: ['RS256'],
		scopes_supported: ['openid', ...Object.keys(service.scopes)],
	});
});

test('once OAuth is live, the metadata does not say planned', () => {
	for (const flag of ['status', 'available', 'token_endpoint_available'])
		expect(jsonAt(paths.authorizationServer, live)).not.toHaveProperty(flag);
});

test.each(Object.keys(liveOauth).filter((member) => member !== 'state'))('OAuth cannot be live without %s', (member) => {
	const { [member]: _, ...oauth } = liveOauth as Record<string, unknown>;
	expect(serviceSchema.safeParse({ ...planned.service, oauth }).success).toBe(false);
});

test('the key set is empty while OAuth is planned, and still a key set', () => {
	const keys = jsonAt(paths.jwks);
	expect(keys).toEqual({ keys: [] });
	expect(() => createLocalJWKSet(keys as never)).not.toThrow();
});

test('once OAuth is live, a token’s key is found in the set', async () => {
	const find = createLocalJWKSet(jsonAt(paths.jwks, live) as never);
	await expect(find({ alg: 'RS256', kid: 'first' })).resolves.toMatchObject({ type: 'public' });
});

test.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])('a key with the private member %s is not published', (member) => {
	const oauth = { ...liveOauth, keys: [{ kty: 'RSA', kid: 'first', n: 'AQAB', e: 'AQAB', [member]: 'secret' }] };
	expect(serviceSchema.safeParse({ ...planned.service, oauth }).success).toBe(false);
});
