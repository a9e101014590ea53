import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { OpenApi } from '../../src/discovery/openapi.ts';
import { operations } from '../../src/api/operations.ts';
import { answersDescribedBy } from '../support/described-answer.ts';
import { formOf, leadOf, type LeadValues } from '../support/post-lead.ts';
import { startFunction } from '../support/function.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const form = (fields: LeadValues, headers = {}): RequestInit => ({ method: 'POST', body: formOf(fields), headers });
const json = (body: string, headers = {}): RequestInit => {
	return { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
};
const unreadable = { 'content-type': 'application/x-www-form-urlencoded' };
const lead = JSON.stringify(leadOf({ message: randomUUID() }));

/** All kinds of answers, in an order that ends with the rate limit. */
const answers: [what: string, status: number, path: string, init?: RequestInit][] = [
	['a page', 200, '/contact'],
	['the home page', 200, '/'],
	['a page with a view of its own', 200, '/docs/api/explorer'],
	['a page, for HEAD', 200, '/contact', { method: 'HEAD' }],
	['a document', 200, '/openapi.json'],
	['a document in plain text', 200, '/llms.txt'],
	['a document without an extension', 200, '/.well-known/api-catalog'],
	['an image', 200, '/favicon.svg'],
	['a page that is known already', 304, '/contact', { headers: { 'if-none-match': '*' } }],
	['a page with a slash too many', 308, '/contact/'],
	['no page', 404, '/nowhere'],
	['a page that takes no post', 405, '/contact', { method: 'POST' }],
	['the status', 200, '/api/status'],
	['the status, for another method', 405, '/api/status', { method: 'DELETE' }],
	['no operation', 404, '/api/nothing'],
	['what is allowed', 204, '/api/contact', { method: 'OPTIONS' }],
	['broken JSON', 400, '/api/contact', json('{')],
	['another site’s form', 403, '/api/contact', form({}, { 'sec-fetch-site': 'cross-site' })],
	['a large body', 413, '/api/contact', json('x'.repeat(70_000))],
	['another media type', 415, '/api/contact', json('{}', { 'content-encoding': 'gzip' })],
	['a wrong lead', 422, '/api/contact', json('{}')],
	['a wrong form, as a page', 422, '/api/contact', form({})],
	[
		'a form that cannot be read, as a page',
		400,
		'/api/contact',
		{ method: 'POST', body: new Uint8Array([0xff]), headers: unreadable },
	],
	['a honeypot hit', 200, '/api/contact', json('{"website":"x"}')],
	['a form that was taken', 303, '/api/contact', form({ website: 'x' })],
	['a lead that cannot be delivered', 503, '/api/contact', json(lead)],
	['too many', 429, '/api/contact', json('{"website":"x"}')],
	['too many, as a page', 429, '/api/contact', form({ website: 'x' })],
];

/** The method that describes each operation. */
const methods = Object.fromEntries(operations.map(({ path, methods: [first] }) => [path, first.toLowerCase()]));
const ofOperations = answers.filter(([, , path]) => path in methods);
const described = answersDescribedBy(JSON.parse(readFileSync('var/test/dist/client/openapi.json', 'utf8')) as OpenApi);

describe.each([
	['the server', startServer, answers],
	['the function', startFunction, ofOperations],
])('by %s', (_, start, rows) => {
	const server = shared(() => start({ LEAD_RATE_LIMIT: '3/10m' }));

	test.each(rows)('%s (%i %s) has every security header, and is what OpenAPI describes', async (_what, status, path, init) => {
		const response = await fetch(server().url + path, { redirect: 'manual', ...init });
		expect(response.status).toBe(status);
		expectSecured(response.headers);
		// Pages are not for scripts of others.
		if (path === '/contact' && status === 200) expect(readersOf(response.headers)).toEqual(['same-origin', null]);
		const body = await response.text();
		if (!(path in methods) || !response.headers.get('content-type')?.endsWith('json') || body === '') return;
		expect(described({ status, headers: response.headers, body }, path, methods[path]!)).toEqual([]);
	});
});

const readersOf = (headers: Headers) => [headers.get('cross-origin-resource-policy'), headers.get('access-control-allow-origin')];

function expectSecured(headers: Headers, isPage = /^text\/html\b/.test(headers.get('content-type') ?? '')): void {
	expect(Object.fromEntries(headers)).toMatchObject({
		'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
		'x-content-type-options': 'nosniff',
		'cross-origin-resource-policy': expect.stringMatching(/^(same|cross)-origin$/),
	});
	expect(headers.has('x-powered-by') || headers.has('server')).toBe(false);
	const pagePolicies = {
		'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
		'x-frame-options': 'DENY',
		'referrer-policy': 'strict-origin-when-cross-origin',
		'permissions-policy': expect.stringContaining('camera=()'),
		'cross-origin-opener-policy': 'same-origin',
	};
	if (isPage) expect(Object.fromEntries(headers)).toMatchObject(pagePolicies);
	else expect(Object.keys(pagePolicies).filter((name) => headers.has(name))).toEqual([]);
	if (headers.get('content-type')?.endsWith('json')) expect(readersOf(headers)).toEqual(['cross-origin', '*']);
	const policy = headers.get('content-security-policy') ?? '';
	expect(policy.replace(/style-src [^;]*/, '')).not.toMatch(/unsafe|\*/);
}
