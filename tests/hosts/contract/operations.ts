import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { OpenApi } from '../../../src/discovery/openapi.ts';
import { operations } from '../../../src/api/operations.ts';
import { paths } from '../../../src/facts/links.ts';
import { answersDescribedBy } from '../../support/described-answer.ts';
import { formOf, lead, leadOf } from '../../support/post-lead.ts';
import type { startSalesTeam } from '../../support/sales-team.ts';
import type { RunningHost } from './host.ts';

type SalesTeam = Awaited<ReturnType<typeof startSalesTeam>>;

const json = (body: string, headers: Record<string, string> = {}): RequestInit => ({
	method: 'POST',
	body,
	headers: { 'content-type': 'application/json', ...headers },
});
const form = (values: object, headers: Record<string, string> = {}): RequestInit => ({
	method: 'POST',
	body: formOf({ ...values }),
	headers,
});
const preflight = {
	method: 'OPTIONS',
	headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
};

/** Requests for every status, except those that need a key, a limit, a store, or a fault of ours. */
const requests: [what: string, status: number, path: string, init?: RequestInit, headers?: Record<string, string>][] = [
	['the status', 200, paths.getStatus],
	['the status, for HEAD', 200, paths.getStatus, { method: 'HEAD' }, { 'content-type': 'application/json' }],
	['the status, for another method', 405, paths.getStatus, { method: 'DELETE' }, { allow: 'GET, HEAD, OPTIONS' }],
	['the honeypot', 200, paths.submitLead, json('{"website":"x"}')],
	['a preflight', 204, paths.submitLead, preflight, { 'access-control-allow-methods': 'POST' }],
	['broken JSON', 400, paths.submitLead, json('{')],
	['another site’s form', 403, paths.submitLead, form({ name: '' }, { origin: 'https://elsewhere.example' })],
	['no operation', 404, '/api/nothing'],
	['an operation with a slash', 404, `${paths.getStatus}/`],
	['another method', 405, paths.submitLead, { method: 'PUT', body: '' }, { allow: 'POST, OPTIONS' }],
	['a body that is too large', 413, paths.submitLead, json(JSON.stringify({ message: 'a'.repeat(70_000) }))],
	[
		'another media type',
		415,
		paths.submitLead,
		json('{}', { 'content-type': 'text/plain' }),
		{ 'accept-post': 'application/json' },
	],
	['a wrong lead', 422, paths.submitLead, json(JSON.stringify({ ...lead, email: 'ana' }))],
];

const secured = { 'strict-transport-security': expect.anything(), 'x-content-type-options': 'nosniff' };

/** The method that describes each operation. */
const methods = Object.fromEntries(operations.map(({ path, methods: [first] }) => [path, first.toLowerCase()]));

/** Tests the API with a channel and without limits. */
export function testOperations(running: () => RunningHost, team: () => SalesTeam): void {
	const ask = (path: string, init?: RequestInit) => fetch(running().url + path, { redirect: 'manual', ...init });
	const described = answersDescribedBy(JSON.parse(readFileSync('var/test/dist/client/openapi.json', 'utf8')) as OpenApi);

	test.each(requests)('%s is answered %i', async (_what, status, path, init = {}, wanted = {}) => {
		const answer = await ask(path, init);
		const body = await answer.text();
		expect([answer.status, body.slice(0, 300)]).toEqual([status, expect.anything()]);
		expect(Object.fromEntries(answer.headers)).toMatchObject({ ...secured, ...wanted });
		if (status >= 400) expect(answer.headers.get('content-type')).toBe('application/problem+json');
		if (path in methods && body !== '')
			expect(described({ status, headers: answer.headers, body }, path, methods[path]!)).toEqual([]);
	});

	test('a lead of a program is taken, and sent by webhook and by mail', async () => {
		const message = randomUUID();
		const answer = await ask(paths.submitLead, json(JSON.stringify(leadOf({ message }))));
		expect([answer.status, await answer.text()]).toEqual([200, '{"ok":true}']);
		await expect.poll(() => team().missing([message])).toEqual([]);
	});

	test('a form without JavaScript is taken, sent by both, and leads to the page that says thanks', async () => {
		const message = randomUUID();
		const answer = await ask(paths.submitLead, form(leadOf({ message, name: 'Ana Núñez' }), { accept: 'text/html' }));
		expect([answer.status, answer.headers.get('location')]).toEqual([303, '/contact/thanks']);
		await expect.poll(() => team().missing([message])).toEqual([]);
	});

	test('a form with a mistake comes back as a page, with what was typed', async () => {
		const answer = await ask(paths.submitLead, form({ ...lead, email: 'ana', clinic: 'Clínica Sol' }, { accept: 'text/html' }));
		expect([answer.status, answer.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8']);
		expect(await answer.text()).toContain('value="Clínica Sol"');
	});

	test('of twelve leads at once each is taken, and delivered once', async () => {
		const messages = Array.from({ length: 12 }, () => randomUUID());
		const answers = await Promise.all(
			messages.map((message) => ask(paths.submitLead, json(JSON.stringify(leadOf({ message }))))),
		);
		expect(answers.map(({ status }) => status)).toEqual(messages.map(() => 200));
		await expect.poll(() => team().missing(messages)).toEqual([]);
		expect(messages.map((message) => [team().mails.get(message)?.length, team().webhooks.get(message)?.length])).toEqual(
			messages.map(() => [1, 1]),
		);
	});
}
