import { expect, test } from 'vitest';
import { operations } from '../../src/api/operations.ts';
import { paths } from '../../src/facts/links.ts';
import { facts } from '../../src/facts/load.ts';
import { differencesOf } from './described-answer.ts';
import { form, json, lead } from './post-lead.ts';

/** A request, its answer's status, and headers that the answer must have beside those of security. */
export type Asked = [what: string, status: number, path: string, init?: RequestInit, headers?: Record<string, string>];

const { getStatus, submitLead } = paths;
const key = facts['key.test'];
const elsewhere = { origin: 'https://elsewhere.example' };
const preflight = { method: 'OPTIONS', headers: { ...elsewhere, 'access-control-request-headers': 'content-type' } };
/** Returns the headers that tell other origins what they may send. */
const allowed = (methods: string) => ({
	allow: `${methods}, OPTIONS`,
	'access-control-allow-origin': '*',
	'access-control-allow-methods': methods,
	'access-control-allow-headers': 'authorization, *',
});
const message = 'a'.repeat(70_000);
const isPage = { 'content-type': 'text/html; charset=utf-8' };

/** The answers that every host gives. */
export const answersAnywhere: Asked[] = [
	['the status', 200, getStatus],
	['no operation', 404, '/api/nothing'],
	['what is allowed', 204, submitLead, preflight, { ...allowed('POST'), 'accept-post': 'application/json' }],
	['broken JSON', 400, submitLead, json('{')],
	['another site’s form', 403, submitLead, form({}, elsewhere)],
	['a large form', 413, `${submitLead}?lang=de`, form({ message }), { ...isPage, 'content-language': 'de' }],
	['another media type', 415, submitLead, json('{}', { 'content-type': 'text/plain' }), { 'accept-post': 'application/json' }],
	['a wrong lead', 422, submitLead, json({ ...lead, email: 'ana' })],
	['a honeypot hit', 200, submitLead, json({ website: 'x' })],
	['a form that was taken', 303, submitLead, form({ website: 'y' }), { location: paths.thanks }],
];

/** The other answers of operations, except those that need a limit, a store, or a fault of ours. */
export const furtherAnswers: Asked[] = [
	['the status, for HEAD', 200, getStatus, { method: 'HEAD' }, { 'content-type': 'application/json' }],
	['the status, for another method', 405, getStatus, { method: 'POST' }, { allow: 'GET, HEAD, OPTIONS' }],
	['what the status allows', 204, getStatus, preflight, allowed('GET, HEAD')],
	['a lead for no operation', 404, '/api/leads', json(lead)],
	['an operation with a slash', 404, `${getStatus}/`],
	['reading', 405, submitLead, {}, { allow: 'POST, OPTIONS' }],
	['another method', 405, submitLead, { method: 'PUT', body: '' }, { allow: 'POST, OPTIONS' }],
	['a key in a cookie', 401, submitLead, json({}, { cookie: `seen=1; key=${key}` })],
	['a key in a query that has two', 401, `${submitLead}?key=${key}&key=-`, json({})],
	['a large body', 413, submitLead, json({ message })],
	['a wrong form', 422, submitLead, form({ ...lead, email: 'ana' }, { accept: 'text/html' }), isPage],
];

/** The method that describes each operation. */
const methods = Object.fromEntries(operations.map(({ path, methods: [first] }) => [path, first.toLowerCase()]));

/** Tests that each answer has its status and headers, is what OpenAPI describes and, unless told otherwise, has every security header. */
export function testAnswers(running: () => { url: string }, rows: Asked[], isSecured = true): void {
	test.each(rows)('%s is answered %i, as is described', async (_, status, path, init, wanted = {}) => {
		const response = await fetch(running().url + path, { redirect: 'manual', ...init });
		const body = await response.text();
		expect([response.status, body.slice(0, 300)]).toEqual([status, expect.anything()]);
		expect(Object.fromEntries(response.headers)).toMatchObject(wanted);
		if (isSecured) expectSecured(response.headers);
		const type = response.headers.get('content-type') ?? '';
		if (status >= 400 && !/^text\/(html|markdown)/.test(type)) expect(type).toBe('application/problem+json');
		if (type.startsWith('text/html') && body !== '') expect(body).toMatch(/^<!doctype html>.*<\/html>\s*$/is);
		const { pathname } = new URL(path, 'https://localhost');
		if (!(pathname in methods) || !type.endsWith('json') || body === '') return;
		expect(differencesOf({ status, headers: response.headers, body }, pathname, methods[pathname]!)).toEqual([]);
	});
}

function expectSecured(headers: Headers): void {
	const all = Object.fromEntries(headers);
	expect(all).toMatchObject({
		'strict-transport-security': expect.stringMatching(/^max-age=\d{8}$/),
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
	const ofPage = { ...pagePolicies, 'cross-origin-resource-policy': 'same-origin' };
	if (all['content-type']?.startsWith('text/html')) expect(all).toMatchObject(ofPage);
	else expect(Object.keys(pagePolicies).filter((name) => headers.has(name))).toEqual([]);
	const readers = { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' };
	if (all['content-type']?.endsWith('json')) expect(all).toMatchObject(readers);
	const policy = all['content-security-policy'] ?? '';
	expect(policy.replace(/style-src [^;]*/, '')).not.toMatch(/unsafe|\*/);
}
