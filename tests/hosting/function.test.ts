import { cp } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startFunction } from '../support/function.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const origin = 'https://www.anteroom.test';
const fields = { name: 'Ana Ruiz', clinic: 'Clínica Sol', email: 'ana@clinicasol.example', consent: 'on' };
const json = (body: object = fields): RequestInit => ({
	method: 'POST',
	body: JSON.stringify(body),
	headers: { 'content-type': 'application/json' },
});
const form = (values: Record<string, string> = fields, from = origin): RequestInit => ({
	method: 'POST',
	body: new URLSearchParams(values),
	headers: { origin: from },
	redirect: 'manual',
});

describe('as a web-standard function', () => {
	let receiver: WebhookReceiver;
	let call: (path: string, init?: RequestInit) => Promise<Response>;
	beforeAll(async () => {
		receiver = await startWebhookReceiver();
		vi.stubEnv('LEAD_WEBHOOK_URL', receiver.url);
		vi.stubEnv('LOG_LEVEL', 'error');
		const { fetch, default: worker } = (await import(
			/* @vite-ignore */ pathToFileURL('var/test/dist/server/function.mjs').href
		)) as FunctionModule;
		expect(worker.fetch).toBe(fetch);
		call = (path, init) => fetch(new Request(origin + path, init));
	});
	afterAll(() => receiver.close());

	test('it says that it is up', async () => {
		const response = await call('/api/status');
		expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
		expect(await response.json()).toMatchObject({ ok: true, service: 'anteroom' });
	});

	test('it delivers a lead before it answers', async () => {
		const response = await call('/api/contact', json({ ...fields, message: 'From a program' }));
		expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
		expect(receiver.requests.at(-1)!.body).toContain('From a program');
	});

	test('it leads the page’s form on to the thanks', async () => {
		const response = await call('/api/contact', form());
		expect([response.status, response.headers.get('location')]).toEqual([303, '/contact/thanks']);
	});

	test('it shows the form again with what was typed', async () => {
		const response = await call('/api/contact', form({ ...fields, email: 'nobody' }));
		expect([response.status, response.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8']);
		const page = await response.text();
		expect(page).toContain('value="nobody"');
		expect(page).toContain('/_astro/');
	});

	test.each([
		['/api/contact', form(fields, 'https://elsewhere.example'), 403],
		['/api/contact', json({}), 422],
		['/api/contact', json({ message: 'a'.repeat(70_000) }), 413],
		['/api/contact', { method: 'POST', body: 'Hello' }, 415],
		['/api/contact', {}, 405],
		['/api/status', { method: 'POST' }, 405],
		['/api/nothing', {}, 404],
		['/contact', {}, 404],
		['/constructor', {}, 404],
	] as [string, RequestInit, number][])('%s %o is the problem %i', async (path, init, status) => {
		const response = await call(path, init);
		expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
	});

	test.each(['/api/status', '/api/contact', '/api/nothing'])('%s carries the security headers', async (path) => {
		const { headers } = await call(path);
		expect(headers.get('strict-transport-security')).toContain('max-age=');
		expect(headers.get('content-security-policy')).toContain("default-src 'none'");
	});

	test('it counts each client that its host names for itself', async () => {
		const send = (client: string) =>
			call('/api/contact', { ...json({}), headers: { ...json().headers, 'x-forwarded-for': client } });
		const remaining = async (client: string) => (await send(client)).headers.get('ratelimit')!.match(/r=(\d+)/)![1];
		expect(await remaining('192.0.2.1')).toBe('19');
		expect(await remaining('203.0.113.9, 192.0.2.1')).toBe('18');
		expect(await remaining('192.0.2.2')).toBe('19');
	});
});

describe('as a function of Node.js', () => {
	test('it answers as the server does', async () => {
		await using receiver = await startWebhookReceiver();
		await using host = await startFunction({ LEAD_WEBHOOK_URL: receiver.url });
		expect((await fetch(`${host.url}/api/status`)).status).toBe(200);
		expect((await fetch(`${host.url}/api/contact`, json())).status).toBe(200);
		expect((await fetch(`${host.url}/api/contact`, form({}))).headers.get('content-type')).toBe('text/html; charset=utf-8');
		expect(receiver.requests).toHaveLength(1);
	});

	test('it runs with Node alone after being copied elsewhere', async () => {
		await using folder = await temporaryFolder();
		await cp('var/test/dist', folder.path, { recursive: true });
		await using host = await startFunction({}, folder.path);
		expect((await fetch(`${host.url}/api/contact`, form({}))).status).toBe(422);
	});

	test.each([
		[{ SMTP_URL: 'nonsense' }, 'SMTP_URL must be'],
		[{ LEAD_STORE: 'sqlite:var/leads.db' }, 'LEAD_STORE must be none, or a database'],
		[{ LEAD_MAILBOX: 'var/mailbox' }, 'LEAD_MAILBOX must not be set'],
		[{ LEAD_STORE: 'postgres://nobody:secret@127.0.0.1:1/nothing' }, 'database nothing on 127.0.0.1'],
	])('with %o it refuses leads and says why in its log alone', async (env, reason) => {
		await using host = await startFunction(env as Record<string, string>);
		const [asProgram, asForm] = [await fetch(`${host.url}/api/contact`, json()), await fetch(`${host.url}/api/contact`, form())];
		expect([asProgram.status, asForm.status]).toEqual([503, 503]);
		expect(await asForm.text()).toContain('value="Clínica Sol"');
		await host.process.printed(new RegExp(reason));
		expect(host.process.output + (await asProgram.text())).not.toContain('secret');
	});
});

describe.skipIf(postgresMissing)('with PostgreSQL', () => {
	test('it has tried to deliver when it answers, and tries again what is due at the next request', async () => {
		await using postgres = await startPostgres();
		const database = await postgres.createDatabase();
		await using receiver = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 503 : 200 }));
		await using host = await startFunction({ LEAD_STORE: database, LEAD_WEBHOOK_URL: receiver.url, LEAD_RETRY: '1h' });
		expect((await fetch(`${host.url}/api/contact`, json())).status).toBe(200);
		expect(receiver.requests).toHaveLength(1);

		await hourPasses(database);
		await fetch(`${host.url}/api/status`);
		expect(receiver.requests).toHaveLength(2);
		expect(receiver.requests[1]!.headers['webhook-id']).toBe(receiver.requests[0]!.headers['webhook-id']);
	});
});

interface FunctionModule {
	fetch(request: Request): Promise<Response>;
	default: { fetch(request: Request): Promise<Response> };
}

async function hourPasses(database: string): Promise<void> {
	const client = new pg.Client(database);
	await client.connect();
	await client.query('UPDATE lead_deliveries SET due_at = 0');
	await client.end();
}
