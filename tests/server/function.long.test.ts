import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { newKey } from '../../src/cli/keys.ts';
import { TABLES_LOCK } from '../../src/store/postgres.ts';
import { listening } from '../support/listening.ts';
import { startFunction } from '../support/server.ts';
import { json, lead as fields, postBody, postForm } from '../support/post-lead.ts';
import { ask, postgresMissing, startPostgres } from '../support/postgres.ts';
import { TestProcess } from '../support/process.ts';
import { shared } from '../support/shared.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const origin = 'https://www.website.test';
/** Runs a program that calls an entry of the build. */
const calling = (script: string, env: Record<string, string> = {}) => {
	const entries = `
		import { fetch, fetchFrom, tryDue } from '${path.resolve('var/test/dist')}/server/function.mjs';
		import { handler, handler as lambda } from '${path.resolve('var/test/dist')}/server/lambda.mjs';
		import { workerFor } from '${path.resolve('var/test/dist')}/server/cloudflare.mjs';
	`;
	return new TestProcess(['--input-type=module', '--eval', entries + script], { env: { LOG_LEVEL: 'error', ...env } });
};

test('where no address is known nobody is limited, whatever the host passes beside the request, and the log says so once', async () => {
	const hit = json({ website: 'x' }, { 'x-forwarded-for': '192.0.2.1' });
	const script = `
		const beside = { address: '192.0.2.1', ip: '192.0.2.1', caller: '192.0.2.1' };
		for (let turn = 0; turn < 3; turn += 1) {
			const init = { ...${JSON.stringify(hit)}, body: JSON.stringify({ website: 'x' + turn }) };
			const { status, headers } = await fetch(new Request('${origin}/api/contact', init), beside);
			console.log('answered', status, headers.get('ratelimit-policy'));
		}
	`;
	await using host = calling(script, { LOG_LEVEL: 'warn', LEAD_RATE_LIMIT: '1/10m' });
	await host.exit();
	expect(host.output.match(/^answered.*$/gm)).toEqual(Array(3).fill('answered 200 null'));
	expect(host.output.match(/nobody is limited/g)).toHaveLength(1);
});

/** An event of AWS Lambda, without headers. */
const event = { version: '2.0', rawPath: '/api/contact', requestContext: { http: { method: 'POST' } }, body: '{}' };

test('letters beyond Latin in a header do not stop a request on AWS Lambda', async () => {
	const headers = { 'content-type': 'application/json', referer: 'https://clinic.example/طبيب' };
	await using host = calling(`console.log((await handler(${JSON.stringify({ ...event, headers })})).statusCode)`);
	await host.exit();
	expect(host.output).toBe('422\n');
});

test('on AWS Lambda behind a cache only who shows the secret is answered, and nobody where none is set', async () => {
	const secret = 'f00d'.repeat(16);
	const script = `
		for (const secret of ${JSON.stringify([secret, secret.slice(4), ''])}) {
			const headers = { 'content-type': 'application/json', 'x-function-secret': secret };
			console.log('answered', (await handler({ ...${JSON.stringify(event)}, headers })).statusCode);
		}
	`;
	await using host = calling(script, { TRUST_PROXY: '2', FUNCTION_SECRET: secret });
	await using without = calling(script, { TRUST_PROXY: '2' });
	for (const program of [host, without]) await program.exit();
	expect(host.output.match(/(?<=^answered )\d+$/gm)).toEqual(['422', '403', '403']);
	expect(without.output).toContain('\nFUNCTION_SECRET must be set with TRUST_PROXY=2');
});

test.each([
	[{ SMTP_URL: 'nonsense' }, 'SMTP_URL must be'],
	[{ LEAD_STORE: 'sqlite:var/leads.db' }, 'LEAD_STORE must be none, or a database'],
	[{ LEAD_MAILBOX: 'var/mailbox' }, 'LEAD_MAILBOX must not be set'],
	[{ LEAD_STORE: 'postgres://nobody:secret@127.0.0.1:1/nothing' }, 'database nothing on 127.0.0.1'],
])('with %o a function of Node.js refuses leads and says why in its log alone', async (env, reason) => {
	await using host = await startFunction(env as Record<string, string>);
	const [asProgram, asForm] = [await postBody(host.url, fields), await postForm(host.url, fields)];
	expect([asProgram.status, asForm.status]).toEqual([503, 503]);
	expect(await asForm.text()).toContain('value="Clínica Sol"');
	await expect.poll(() => host.process.output).toContain(reason);
	expect(host.process.output + (await asProgram.text())).not.toContain('secret');
});

describe.skipIf(postgresMissing)('with PostgreSQL', () => {
	const postgres = shared(startPostgres);

	test('it has tried to deliver when it answers, and tries again what is due at the next request', async () => {
		const database = await postgres().createDatabase();
		await using receiver = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 503 : 200 }));
		await using host = await startFunction({ LEAD_STORE: database, LEAD_WEBHOOK_URL: receiver.url, LEAD_RETRY: '1h' });
		expect((await postBody(host.url, fields)).status).toBe(200);
		await ask(database, 'UPDATE lead_deliveries SET due_at = 0');
		await fetch(`${host.url}/api/status`);
		expect(receiver.requests).toHaveLength(1);
		await postBody(host.url, {});
		expect(receiver.requests).toHaveLength(2);
		expect(receiver.requests[1]!.headers['webhook-id']).toBe(receiver.requests[0]!.headers['webhook-id']);
	});

	test.each([
		['EventBridge on AWS Lambda', `await lambda({ source: 'aws.events', 'detail-type': 'Scheduled Event' })`],
		['a schedule of EventBridge with an event of its own', 'await lambda({})'],
		['a cron of Cloudflare', `await workerFor({}).scheduled({ cron: '* * * * *' }, { HYPERDRIVE: { connectionString } })`],
		['another host', 'await tryDue({ database: connectionString })'],
	])('%s tries what is due, and no request is needed', async (_, call) => {
		const connectionString = await postgres().createDatabase();
		await using receiver = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 503 : 200 }));
		const settings = { LEAD_WEBHOOK_URL: receiver.url, LEAD_RETRY: '1h' };
		const taking = await startFunction({ ...settings, LEAD_STORE: connectionString });
		expect((await postBody(taking.url, fields)).status).toBe(200);
		await taking[Symbol.asyncDispose]();
		await ask(connectionString, 'UPDATE lead_deliveries SET due_at = 0');
		const script = `const connectionString = '${connectionString}'; ${call}; console.log('done'); process.exit();`;
		await using host = calling(script, { ...settings, ...(call.includes('lambda') && { LEAD_STORE: connectionString }) });
		expect(await host.exit()).toBe(0);
		expect(receiver.requests).toHaveLength(2);
		expect(await ask(connectionString, 'SELECT state FROM lead_deliveries')).toContainEqual({ state: 'sent' });
	});

	test('a schedule fails where the database is away, so that its host can tell', async () => {
		await using host = calling(`await tryDue({ database: 'postgres://nobody@127.0.0.1:1/leads' }); process.exit();`);
		expect(await host.exit()).toBe(1);
	});

	test('where its host waits for work behind the answer, a lead is answered when it is stored, and delivered meanwhile', async () => {
		const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
		await using receiver = await startWebhookReceiver({ until: answered });
		const script = `
			const request = new Request('${origin}/api/contact', ${JSON.stringify(json(fields))});
			let work;
			const { status } = await fetchFrom(request, { waitUntil: (promise) => { work = promise; } });
			console.log('answered', status);
			await work;
			console.log('done');
			process.exit();
		`;
		await using host = calling(script, { LEAD_STORE: await postgres().createDatabase(), LEAD_WEBHOOK_URL: receiver.url });
		await expect.poll(() => host.output).toContain('answered 200');
		expect(host.output).not.toContain('done');
		answer();
		await host.exit();
		expect(host.output).toContain('done');
		expect(receiver.requests).toHaveLength(1);
	});

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
		const guesses = Array.from({ length: 23 }, () => json(fields, { authorization: `Bearer ${newKey()}` }));
		const statuses = await statusesOf(posting(guesses), await postgres().createDatabase());
		expect(statuses).toEqual(guesses.map((_, index) => (index < 20 ? 401 : 429)));
	});

	test('the tables are looked at once in a process, though each request has its connection', async () => {
		const database = await postgres().createDatabase();
		const lock = `
			const { default: pg } = await import('pg');
			const other = new pg.Client('${database}');
			await other.connect();
			await other.query('SELECT pg_advisory_lock(${TABLES_LOCK})');
		`;
		const leads = ['one', 'two'].map((message) => json({ ...fields, message }));
		expect(await statusesOf(posting(leads, lock), database)).toEqual([200, 200]);
	});
});

test('a health check opens no database, and so waits for none', async () => {
	let connections = 0;
	await using silent = await listening(createServer(() => void (connections += 1)));
	await using host = await startFunction({ LEAD_STORE: `postgres://me@${silent.address}/leads` });
	for (const method of ['GET', 'HEAD']) expect((await fetch(`${host.url}/api/status`, { method })).status).toBe(200);
	expect((await fetch(`${host.url}/api/contact`, { method: 'OPTIONS' })).status).toBe(204);
	expect(connections).toBe(0);
});
