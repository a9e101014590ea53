import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { service } from '../../src/facts/load.ts';
import type * as built from '../../src/server/function.ts';
import { newKey } from '../../src/api/authentication.ts';
import { startFunction } from '../support/function.ts';
import { formOf, lead as fields } from '../support/post-lead.ts';
import { connectedTo, postgresMissing, startPostgres } from '../support/postgres.ts';
import { TestProcess } from '../support/process.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const origin = 'https://www.website.test';
const json = (body: object = fields): RequestInit => ({
	method: 'POST',
	body: JSON.stringify(body),
	headers: { 'content-type': 'application/json' },
});

/** Runs a program that calls an entry of the build. */
const calling = (script: string, env: Record<string, string> = {}) => {
	const entries = `
		import { fetch, fetchFrom } from '${path.resolve('var/test/dist')}/server/function.mjs';
		import { handler } from '${path.resolve('var/test/dist')}/server/lambda.mjs';
	`;
	return new TestProcess(['--input-type=module', '--eval', entries + script], { env: { LOG_LEVEL: 'error', ...env } });
};

describe('as a web-standard function', () => {
	let receiver: WebhookReceiver;
	let program: typeof built;
	const call = (path: string, init?: RequestInit, beside?: unknown) => program.fetch(new Request(origin + path, init), beside);
	beforeAll(async () => {
		receiver = await startWebhookReceiver();
		vi.stubEnv('LEAD_WEBHOOK_URL', receiver.url);
		vi.stubEnv('LOG_LEVEL', 'error');
		program = await import(/* @vite-ignore */ pathToFileURL('var/test/dist/server/function.mjs').href);
		expect(program.default.fetch).toBe(program.fetch);
	});
	afterAll(() => receiver.close());

	test('it delivers a lead before it answers', async () => {
		const response = await call('/api/contact', json({ ...fields, message: 'From a program' }));
		expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
		expect(receiver.requests.at(-1)!.body).toContain('From a program');
	});

	test('it has no pages', async () => {
		for (const [method, status] of Object.entries({ GET: 404, POST: 405 }))
			expect((await call('/contact', { method })).status).toBe(status);
	});

	test('when its host passes variables beside the request it knows no address, and so limits nobody', async () => {
		const variables = { address: '192.0.2.1', ip: '192.0.2.1', caller: '192.0.2.1' };
		const post = () => call('/api/contact', forwarded('192.0.2.1'), variables);
		const answers = await Promise.all(Array.from({ length: 25 }, post));
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422));
		expect(answers.filter(({ headers }) => headers.has('ratelimit') || headers.has('ratelimit-policy'))).toEqual([]);
	});
});

/** Returns an invalid lead, forwarded for these addresses. */
const forwarded = (path: string): RequestInit => ({
	...json({}),
	headers: { 'content-type': 'application/json', 'x-forwarded-for': path },
});

test('where no address is known its log says once that nobody is limited', async () => {
	const script = `for (const method of ['GET', 'POST', 'POST']) await fetch(new Request('${origin}/api/contact', { method }))`;
	await using host = calling(script, { LOG_LEVEL: 'warn' });
	await host.exit();
	expect(host.output.match(/nobody is limited/g)).toHaveLength(1);
});

test('letters beyond Latin in a header do not stop a request on AWS Lambda', async () => {
	const { handler } = (await import(pathToFileURL('var/test/dist/server/lambda.mjs').href)) as {
		handler: (event: object) => Promise<{ statusCode: number }>;
	};
	const event = { version: '2.0', rawPath: '/api/contact', requestContext: { http: { method: 'POST' } }, body: '{}' };
	const headers = { 'content-type': 'application/json', referer: 'https://clinic.example/طبيب' };
	expect((await handler({ ...event, headers })).statusCode).toBe(422);
});

describe('on AWS Lambda behind a cache', () => {
	const secret = 'f00d'.repeat(16);
	/** Requests as the function's own address passes them on: it appends the caller's address, the cache's or anybody's. */
	const calls = [
		{ 'x-forwarded-for': '192.0.2.1,198.51.100.1', 'x-function-secret': secret },
		{ 'x-forwarded-for': '1.2.3.4,192.0.2.1,198.51.100.1', 'x-function-secret': secret },
		{ 'x-forwarded-for': '1.2.3.4,203.0.113.9' },
		{ 'x-forwarded-for': '1.2.3.4,203.0.113.9', 'x-function-secret': 'f00d'.repeat(15) },
	];
	const answersWith = async (env: Record<string, string>) => {
		const script = `
			for (const headers of ${JSON.stringify(calls)}) {
				const requestContext = { http: { method: 'POST', sourceIp: '203.0.113.9' } };
				const event = { version: '2.0', rawPath: '/api/contact', requestContext, body: '{}' };
				const answer = await handler({ ...event, headers: { 'content-type': 'application/json', ...headers } });
				console.log('answered', answer.statusCode, answer.headers.ratelimit);
			}
		`;
		await using host = calling(script, env);
		await host.exit();
		return { answers: [...host.output.matchAll(/^answered (.*)$/gm)].map(([, answer]) => answer), output: host.output };
	};

	test('only who shows the secret is answered, and counted by the address that the cache has seen', async () => {
		const { answers } = await answersWith({ TRUST_PROXY: '2', FUNCTION_SECRET: secret });
		const [first, second] = [199, 198].map((left) => `422 "submissions";r=${left};t=600`);
		expect(answers).toEqual([first, second, '403 undefined', '403 undefined']);
	});

	test('without a secret it takes nothing, and says what to set', async () => {
		const { answers, output } = await answersWith({ TRUST_PROXY: '2' });
		expect(answers).toEqual(Array.from({ length: 4 }, () => '422 undefined'));
		expect(output).toMatch(/The function cannot take leads\..*\nFUNCTION_SECRET must be set with TRUST_PROXY=2/);
	});
});

describe('as a function of Node.js', () => {
	test.each([
		[{ SMTP_URL: 'nonsense' }, 'SMTP_URL must be'],
		[{ LEAD_STORE: 'sqlite:var/leads.db' }, 'LEAD_STORE must be none, or a database'],
		[{ LEAD_MAILBOX: 'var/mailbox' }, 'LEAD_MAILBOX must not be set'],
		[{ LEAD_STORE: 'postgres://nobody:secret@127.0.0.1:1/nothing' }, 'database nothing on 127.0.0.1'],
	])('with %o it refuses leads and says why in its log alone', async (env, reason) => {
		await using host = await startFunction(env as Record<string, string>);
		const form = { method: 'POST', body: formOf(fields), headers: { origin } };
		const [asProgram, asForm] = [await fetch(`${host.url}/api/contact`, json()), await fetch(`${host.url}/api/contact`, form)];
		expect([asProgram.status, asForm.status]).toEqual([503, 503]);
		expect(await asForm.text()).toContain('value="Clínica Sol"');
		await expect.poll(() => host.process.output).toContain(reason);
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

		await using client = await connectedTo(database);
		await client.query('UPDATE lead_deliveries SET due_at = 0');
		await fetch(`${host.url}/api/status`);
		expect(receiver.requests).toHaveLength(1);
		await fetch(`${host.url}/api/contact`, json({}));
		expect(receiver.requests).toHaveLength(2);
		expect(receiver.requests[1]!.headers['webhook-id']).toBe(receiver.requests[0]!.headers['webhook-id']);
	});

	test('where its host waits for work behind the answer, a lead is answered when it is stored, and delivered meanwhile', async () => {
		await using postgres = await startPostgres();
		const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
		await using receiver = await startWebhookReceiver({ until: answered });
		const script = `
			const request = new Request('${origin}/api/contact', ${JSON.stringify(json())});
			let work;
			const { status } = await fetchFrom(request, { waitUntil: (promise) => { work = promise; } });
			console.log('answered', status);
			await work;
			console.log('done');
			process.exit();
		`;
		await using host = calling(script, { LEAD_STORE: await postgres.createDatabase(), LEAD_WEBHOOK_URL: receiver.url });
		await expect.poll(() => host.output).toContain('answered 200');
		expect(host.output).not.toContain('done');
		answer();
		await host.exit();
		expect(host.output).toContain('done');
		expect(receiver.requests).toHaveLength(1);
	});
});

test('a health check opens no database, and so waits for none', async () => {
	let connections = 0;
	const silent = createServer(() => void (connections += 1)).listen(0, '127.0.0.1');
	onTestFinished(() => void silent.close());
	await once(silent, 'listening');
	const { port } = silent.address() as AddressInfo;
	await using host = await startFunction({ LEAD_STORE: `postgres://me@127.0.0.1:${port}/leads` });
	for (const method of ['GET', 'HEAD']) expect((await fetch(`${host.url}/api/status`, { method })).status).toBe(200);
	expect((await fetch(`${host.url}/api/contact`, { method: 'OPTIONS' })).status).toBe(204);
	expect(connections).toBe(0);
});

describe.skipIf(postgresMissing)('where a connection belongs to one request', () => {
	/** Posts one request after another, as Cloudflare does, and prints the statuses. @param between runs after the first */
	const posting = (requests: RequestInit[], between = '') => `
		const statuses = [];
		for (const init of ${JSON.stringify(requests)}) {
			let work;
			const host = { caller: '192.0.2.1', tiesConnections: true, waitUntil: (promise) => { work = promise; } };
			statuses.push((await fetchFrom(new Request('${origin}/api/contact', init), host)).status);
			await work;
			if (statuses.length === 1) { ${between} }
		}
		console.log('statuses', statuses.join(' '));
		process.exit();
	`;
	const statusesOf = async (script: string, LEAD_STORE: string) => {
		await using receiver = await startWebhookReceiver();
		await using host = calling(script, { LEAD_STORE, LEAD_WEBHOOK_URL: receiver.url });
		await host.exit();
		return /statuses (.*)/.exec(host.output)?.[1]?.split(' ').map(Number);
	};

	test.skipIf(service.keys === 'none')('guessed API keys are counted, whatever request they came with', async () => {
		await using postgres = await startPostgres();
		const guesses = Array.from({ length: 23 }, () => ({
			...json(),
			headers: { authorization: `Bearer ${newKey()}`, 'content-type': 'application/json' },
		}));
		const statuses = await statusesOf(posting(guesses), await postgres.createDatabase());
		expect(statuses).toEqual(guesses.map((_, index) => (index < 20 ? 401 : 429)));
	});

	test('the tables are looked at once in a process', async () => {
		await using postgres = await startPostgres();
		const database = await postgres.createDatabase();
		const lock = `
			const { default: pg } = await import('pg');
			const other = new pg.Client('${database}');
			await other.connect();
			await other.query('BEGIN; LOCK TABLE lead_store IN ACCESS EXCLUSIVE MODE');
		`;
		const leads = ['one', 'two'].map((message) => json({ ...fields, message }));
		expect(await statusesOf(posting(leads, lock), database)).toEqual([200, 200]);
	});
});
