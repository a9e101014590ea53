import { writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { publicTestKey } from '../../src/api/authentication.ts';
import { kept, METRICS, scrape, valueOf } from '../support/metrics.ts';
import { newLead, postBody, postForm, postLead } from '../support/post-lead.ts';
import { connectedTo, postgresMissing, startPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** Returns the levels of the lines about the store as a whole. */
const saidOf = ({ process }: TestServer) =>
	process.log.filter(({ msg }) => String(msg).startsWith('The store ')).map(({ level }) => level);

/** Starts a server while its store is away, brings that back, and sees all that it says and does. */
async function expectToWait(LEAD_STORE: string, comeBack: () => unknown) {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ ...METRICS, LEAD_STORE, LEAD_WEBHOOK_URL: receiver.url, LEAD_RATE_LIMIT: 'off' });
	for (const path of ['/', '/contact', '/openapi.json', '/api/status']) expect((await fetch(server.url + path)).status).toBe(200);
	expect((await postLead(server.url)).status).toBe(503);
	for (const page of [await postForm(server.url, newLead()), await fetch(`${server.url}/lead/taken?id=x`)])
		expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
	expect(valueOf('lead_store_writable', await scrape(server))).toBe(0);
	expect(saidOf(server)).toEqual(['error']);

	await comeBack();
	await expect.poll(async () => (await postBody(server.url, newLead())).status).toBe(200);
	await receiver.received(1);
	expect(saidOf(server)).toEqual(['error', 'info']);
	const answers = valueOf('http_answers_total{operation="submitLead",status="503"}', await scrape(server));
	expect(answers).toBeGreaterThanOrEqual(2);
	expect(await server.process.stop()).toBe(0);
}

describe('A server whose store is away at its start serves all but leads, and takes them when it is back', () => {
	test('where another process has its file locked, which keeps no server from its end', async () => {
		await using folder = await temporaryFolder();
		const path = `${folder.path}/leads.db`;
		using holder = new DatabaseSync(path);
		holder.exec('BEGIN EXCLUSIVE');
		await using waiting = await startServer({ LEAD_STORE: `sqlite:${path}` });
		expect(await waiting.process.stop()).toBe(0);
		await expectToWait(`sqlite:${path}`, () => holder.exec('COMMIT'));
	});

	test('where its disk is full', async ({ skip }) => {
		using disk = mountSmallDisk();
		if (!disk) return skip('The test of a full disk was skipped: only root may mount one.');
		await expectToWait(`sqlite:${disk.path}/leads.db`, disk.fill());
	});

	test.skipIf(postgresMissing)('where PostgreSQL is down', async ({ skip }) => {
		await using postgres = await startPostgres();
		if (!postgres.control) return skip('The server of TEST_POSTGRES_URL is not ours to stop.');
		const database = await postgres.createDatabase();
		await postgres.control.stop();
		await expectToWait(database, postgres.control.start);
	});

	test.skipIf(postgresMissing)('where PostgreSQL does not have its database yet', async ({ skip }) => {
		await using postgres = await startPostgres();
		if (!postgres.control) return skip('The server of TEST_POSTGRES_URL is not ours to make a database in that stays.');
		await using client = await connectedTo(postgres.control.url);
		const url = new URL(postgres.control.url);
		url.pathname = '/later';
		await expectToWait(url.href, () => client.query('CREATE DATABASE later'));
	});
});

test.skipIf(postgresMissing)(
	'While PostgreSQL is away, a server limits by itself, says so once, and counts all but what lies there',
	async ({ skip }) => {
		await using postgres = await startPostgres();
		if (!postgres.control) return skip('The server of TEST_POSTGRES_URL is not ours to stop.');
		await using receiver = await startWebhookReceiver({ status: 500 });
		const settings = { LEAD_STORE: await postgres.createDatabase(), LEAD_RATE_LIMIT: '2/10m', LEAD_WEBHOOK_URL: receiver.url };
		await using server = await startServer({ ...settings, ...METRICS });
		const counted = async () => {
			const text = await scrape(server);
			return ['lead_store_writable', kept('waiting'), 'requests_counted_alone_total'].map((series) => valueOf(series, text));
		};
		const statusOf = async (body: object, headers = {}) => (await postBody(server.url, body, headers)).status;
		expect(await statusOf(newLead())).toBe(200);
		await expect.poll(counted).toEqual([1, 1, 0]);
		await postgres.control.stop();
		const statuses: number[] = [];
		for (const body of [newLead(), newLead(), newLead(), { website: 'x' }]) statuses.push(await statusOf(body));
		// What we fail to take uses up no leads.
		expect(statuses).toEqual([503, 503, 503, 503]);
		for (let left = 16; left > 0; left -= 1) expect(await statusOf({})).toBe(422);
		expect(await statusOf(newLead())).toBe(429);
		expect(await statusOf(newLead(), { authorization: `Bearer ${publicTestKey}` })).toBe(503);
		expect(await counted()).toEqual([0, undefined, expect.any(Number)]);
		await postgres.control.start();
		await expect.poll(() => statusOf(newLead())).toBe(200);
		const [writable, waiting, alone] = await counted();
		expect([writable, waiting]).toEqual([1, 2]);
		expect(alone).toBeGreaterThanOrEqual(18);
		expect(server.process.log.filter(({ metric }) => metric === 'requests_counted_alone_total')).toHaveLength(1);
	},
);

describe('A store that can never be opened with these settings stops the start', () => {
	test('in a file', async () => {
		await using folder = await temporaryFolder();
		const file = `${folder.path}/file`;
		await writeFile(file, 'x'.repeat(5000));
		// Nobody may make a folder in the last one, not even root.
		for (const path of [file, folder.path, `${file}/leads.db`, '/sys/leads.db'])
			await expect(startServer({ LEAD_STORE: `sqlite:${path}` })).rejects.toThrow(/ended with 1 (?!.*\n {4}at ).* LEAD_STORE/s);
	});

	test.skipIf(postgresMissing)('in PostgreSQL, also where that was away', async ({ skip }) => {
		await using postgres = await startPostgres();
		const database = await postgres.createDatabase();
		const careless = new URL(database);
		careless.searchParams.set('options', '-c synchronous_commit=off');
		await expect(startServer({ LEAD_STORE: careless.href })).rejects.toThrow(/ended with 1 .*synchronous_commit/s);
		await using client = await connectedTo(database);
		await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE lead_store (tables TEXT)');
		await expect(startServer({ LEAD_STORE: database })).rejects.toThrow(/ended with 1 .*LEAD_STORE/s);
		if (!postgres.control) return skip('The server of TEST_POSTGRES_URL is not ours to stop.');
		await client.end();
		await postgres.control.stop();
		await using server = await startServer({ LEAD_STORE: database });
		await postgres.control.start();
		expect(await server.process.exit()).toBe(1);
	});
});
