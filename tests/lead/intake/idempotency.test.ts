import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApi } from '../../../src/discovery/openapi.ts';
import { paths } from '../../../src/facts/links.ts';
import { formOf, leadOf, postLead } from '../../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
import { expectProblem } from '../../support/problem.ts';
import { startServer } from '../../support/server.ts';
import { shared } from '../../support/shared.ts';
import { startStoring } from '../../support/storing-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

const key = { 'idempotency-key': '"8e03978e-40d5-43dd-bc93-6894a57f9324"' };
const [lead, other] = [{ message: 'one' }, { message: 'another' }];

describe.each([
	['a store', {}],
	['no store', { LEAD_STORE: 'none' }],
])('With %s', (_, settings) => {
	test('the same lead with the same key has the same answer, and is one lead', async () => {
		await using storing = await startStoring(settings);
		const [first, again] = [await postLead(storing.server.url, lead, key), await postLead(storing.server.url, lead, key)];
		expect([first.status, await first.text()]).toEqual([again.status, await again.text()]);
		expect([...again.headers.keys()]).toEqual([...first.headers.keys()]);
		await expectLeads(storing, ['one', 'last']);
	});

	test('another lead with the same key is refused, and the first stands', async () => {
		await using storing = await startStoring(settings);
		await postLead(storing.server.url, lead, key);
		await expectProblem(await postLead(storing.server.url, other, key), 422, 'idempotency-key-reused');
		expect((await postLead(storing.server.url, lead, key)).status).toBe(200);
		await expectLeads(storing, ['one', 'last']);
	});

	test('the same lead with another key is another lead', async () => {
		await using storing = await startStoring(settings);
		await postLead(storing.server.url, lead, { 'idempotency-key': 'a' });
		await postLead(storing.server.url, lead, { 'idempotency-key': 'b' });
		await expectLeads(storing, ['one', 'one', 'last']);
	});

	test('a refused lead leaves its key free', async () => {
		await using storing = await startStoring(settings);
		expect((await postLead(storing.server.url, { email: 'nobody' }, key)).status).toBe(422);
		expect((await postLead(storing.server.url, lead, key)).status).toBe(200);
	});

	test('a key is its sender’s own: the same one of somebody else names another lead', async () => {
		await using storing = await startStoring(settings);
		const eve = { ...other, email: 'eve@other.example' };
		const senders = [lead, eve, { ...lead, email: 'Ana@ClinicaSol.example' }, eve];
		const statuses: number[] = [];
		for (const sender of senders) statuses.push((await postLead(storing.server.url, sender, key)).status);
		// In another spelling the address is the same, but the lead is not.
		expect(statuses).toEqual([200, 200, 422, 200]);
		await expectLeads(storing, ['another', 'last', 'one']);
	});

	test('a key is the same in quotes and without', async () => {
		await using storing = await startStoring(settings);
		const keys = ['a-1', '"a-1"'];
		for (const one of keys) expect((await postLead(storing.server.url, lead, { 'idempotency-key': one })).status).toBe(200);
		await expectLeads(storing, ['one', 'last']);
	});

	test('without a key, ten of the same at once are one lead, and each is answered 200', async () => {
		await using storing = await startStoring(settings);
		const answers = await Promise.all(Array.from({ length: 10 }, () => postLead(storing.server.url, lead)));
		expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
		await expectLeads(storing, ['one', 'last']);
	});

	test('a form sent again by a reload is one lead, and thanked for again', async () => {
		await using storing = await startStoring(settings);
		const form = { method: 'POST', body: formOf(leadOf(lead)), redirect: 'manual' as const };
		const send = () => fetch(`${storing.server.url}/api/contact`, form);
		expect([(await send()).status, (await send()).status]).toEqual([303, 303]);
		await expectLeads(storing, ['one', 'last']);
	});
});

describe('a key', () => {
	const receiver = shared(() => startWebhookReceiver());
	const server = shared(() => startServer({ LEAD_WEBHOOK_URL: receiver().url, LEAD_RATE_LIMIT: 'off' }));
	let published: ValidateFunction;
	beforeAll(async () => {
		const description = (await (await fetch(server().url + paths.openapi)).json()) as OpenApi;
		published = new Ajv2020().compile(description.paths[paths.submitLead]!['post']!.parameters![0]!.schema);
	});
	const answerTo = (value: string) => postLead(server().url, {}, { 'idempotency-key': value });

	test.each([
		'a',
		'1,2;3=4',
		'\\',
		'x'.repeat(255),
		'"a"',
		'"two words"',
		'"\\"\\\\"',
		`"${'x'.repeat(255)}"`,
		`"${'\\"'.repeat(255)}"`,
	])('%s is taken, as it is published', async (value) => {
		expect(published(value)).toBe(true);
		expect((await answerTo(value)).status).toBe(200);
	});

	test.each([
		'',
		'two words',
		'clé',
		'a"b',
		'x'.repeat(256),
		'""',
		'"',
		'"abc',
		'abc"',
		'"a"b"',
		'"a\\b"',
		'"a\\"',
		'"clé"',
		'"a"; b=1',
		'"a", "b"',
		`"${'x'.repeat(256)}"`,
	])('%s is refused, as it is published', async (value) => {
		expect(published(value)).toBe(false);
		const { detail } = await expectProblem(await answerTo(value), 400, 'malformed-request');
		expect(detail).toContain('Idempotency-Key must have 1 to 255 ASCII characters');
	});
});

test('while the first with a key is in flight, the next is told so', async () => {
	const held = Promise.withResolvers<void>();
	await using receiver = await startWebhookReceiver({ until: held.promise });
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	const first = postLead(server.url, lead, key);
	await receiver.received(1);
	const second = await postLead(server.url, lead, key);
	await expectProblem(second, 409, 'idempotency-key-in-use');
	// The first request is answered by then.
	expect(second.headers.get('retry-after')).toBe('10');
	await expectProblem(await postLead(server.url, other, key), 422, 'idempotency-key-reused');
	held.resolve();
	expect((await first).status).toBe(200);
	expect((await postLead(server.url, lead, key)).status).toBe(200);
	expect(receiver.requests).toHaveLength(1);
});

test('while the first with a key is being saved, the next is told so', async () => {
	await using storing = await startStoring();
	using database = storing.database();
	database.exec('BEGIN IMMEDIATE');
	const answers = [1, 2].map(() => postLead(storing.server.url, lead, key));
	await expectProblem(await Promise.race(answers), 409, 'idempotency-key-in-use');
	database.exec('COMMIT');
	expect((await Promise.all(answers)).map(({ status }) => status).toSorted()).toEqual([200, 409]);
	await expectLeads(storing, ['one', 'last']);
});

test('without a store, a lead that nobody took may be sent again under its key', async () => {
	await using receiver = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 500 : 200 }));
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	expect((await postLead(server.url, lead, key)).status).toBe(503);
	expect((await postLead(server.url, lead, key)).status).toBe(200);
	expect(receiver.requests).toHaveLength(2);
});

test('keys and repetitions are known after a restart', async () => {
	await using folder = await temporaryFolder();
	await using receiver = await startWebhookReceiver();
	const start = () => startServer({ LEAD_STORE: `sqlite:${folder.path}/leads.db`, LEAD_WEBHOOK_URL: receiver.url });
	await using before = await start();
	await postLead(before.url, lead, key);
	await postLead(before.url, other);
	before.process.signal('SIGKILL');
	await before.process.exit();
	await using after = await start();
	expect((await postLead(after.url, lead, key)).status).toBe(200);
	expect((await postLead(after.url, other, key)).status).toBe(422);
	expect((await postLead(after.url, other)).status).toBe(200);
	await expectLeads({ receiver, server: after }, ['another', 'last', 'one']);
});

test.skipIf(postgresMissing)('keys and repetitions are known to every instance on one PostgreSQL', async () => {
	await using postgres = await startPostgres();
	const settings = { LEAD_STORE: await postgres.createDatabase(), LEAD_RATE_LIMIT: 'off' };
	await using receiver = await startWebhookReceiver();
	await using first = await startServer({ ...settings, LEAD_WEBHOOK_URL: receiver.url });
	await using second = await startServer({ ...settings, LEAD_WEBHOOK_URL: receiver.url });
	expect((await postLead(first.url, lead, key)).status).toBe(200);
	expect((await postLead(second.url, lead, key)).status).toBe(200);
	expect((await postLead(second.url, other, key)).status).toBe(422);
	const atOnce = Array.from({ length: 20 }, (_, index) => postLead([first, second][index % 2]!.url, other));
	expect((await Promise.all(atOnce)).map(({ status }) => status)).toEqual(Array(20).fill(200));
	await expectLeads({ receiver, server: first }, ['another', 'last', 'one']);
});

type Destination = Pick<Awaited<ReturnType<typeof startStoring>>, 'receiver' | 'server'>;

/** Expects these leads, after a last one: earlier leads were due before it. A second copy of a lead has its id. */
async function expectLeads({ receiver, server }: Destination, messages: string[]): Promise<void> {
	await postLead(server.url, { message: 'last' });
	const leads = () => new Map(receiver.requests.map(({ headers, body }) => [headers['webhook-id'], messageIn(body)]));
	await expect.poll(() => [...leads().values()].toSorted()).toEqual(messages.toSorted());
}

const messageIn = (body: string) => (JSON.parse(body) as { data: { message: string } }).data.message;
