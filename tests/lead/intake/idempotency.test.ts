import { createSecretKey } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { pino } from 'pino';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { OpenApi } from '../../../src/discovery/openapi.ts';
import { paths } from '../../../src/facts/links.ts';
import { onceFor } from '../../../src/lead/intake/once.ts';
import { openPipeline } from '../../../src/lead/pipeline.ts';
import { leadWith } from '../../support/lead.ts';
import { startBackend } from '../../support/lead-backend.ts';
import { formOf, leadOf, postLead } from '../../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
import { expectProblem } from '../../support/problem.ts';
import { startServer } from '../../support/server.ts';
import { shared } from '../../support/shared.ts';
import { startStoring } from '../../support/storing-server.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

const key = { 'idempotency-key': '"8e03978e-40d5-43dd-bc93-6894a57f9324"' };
const [lead, other] = [{ message: 'one' }, { message: 'another' }];

describe.each([
	['a store', {}],
	['no store', { LEAD_STORE: 'none' }],
])('With %s', (_, settings) => {
	const messages = ({ received }: Awaited<ReturnType<typeof startBackend>>) => received().map(({ data }) => data['message']);

	test('the same lead with the same key is one lead, another is refused and the first stands', async () => {
		await using backend = await startBackend(settings);
		const results: unknown[] = [];
		for (const one of [lead, lead, other, lead]) results.push(await backend.send(one, { idempotencyKey: 'a' }));
		expect(results).toEqual(['accepted', 'accepted', 'idempotency-key-reused', 'accepted']);
		expect(messages(backend)).toEqual(['one']);
	});

	test('the same lead with another key is another lead', async () => {
		await using backend = await startBackend(settings);
		for (const idempotencyKey of ['a', 'b']) await backend.take(lead, { idempotencyKey });
		expect(messages(backend)).toEqual(['one', 'one']);
	});

	test('a key is its sender’s own: the same one of somebody else names another lead', async () => {
		await using backend = await startBackend(settings);
		const eve = { ...other, email: 'eve@other.example' };
		const results: unknown[] = [];
		for (const sent of [lead, eve, { ...lead, email: 'Ana@ClinicaSol.example' }, eve])
			results.push(await backend.send(sent, { idempotencyKey: 'a' }));
		// In another spelling the address is the same, but the lead is not.
		expect(results).toEqual(['accepted', 'accepted', 'idempotency-key-reused', 'accepted']);
		expect(messages(backend)).toEqual(['one', 'another']);
	});

	test('without a key, ten of the same at once are one lead, and each is accepted', async () => {
		await using backend = await startBackend(settings);
		const results = await Promise.all(Array.from({ length: 10 }, () => backend.send(lead)));
		expect(results).toEqual(Array(10).fill('accepted'));
		expect(messages(backend)).toEqual(['one']);
	});
});

test('a lead that is sent again with its key, with or without quotes, has the same answer; a refused lead leaves its key free', async () => {
	await using storing = await startStoring();
	const { url } = storing.server;
	const unquoted = { 'idempotency-key': key['idempotency-key'].slice(1, -1) };
	expect((await postLead(url, { email: 'nobody' }, key)).status).toBe(422);
	const cleanedTheSame = { message: '\u200Bone\t', lang: '', unknown: 1 };
	const sent = [
		[lead, key],
		[lead, key],
		[lead, unquoted],
		[cleanedTheSame, key],
	] as const;
	const answers: Response[] = [];
	for (const [fields, headers] of sent) answers.push(await postLead(url, fields, headers));
	const [first, ...others] = await Promise.all(
		answers.map(async (answer) => [answer.status, [...answer.headers.keys()], await answer.text()]),
	);
	for (const again of others) expect(again).toEqual(first);
	await expectProblem(await postLead(url, other, key), 422, 'idempotency-key-reused');
	await expectLeads(storing, ['one', 'last']);
});

test('a form sent again by a reload is one lead, and thanked for again', async () => {
	await using storing = await startStoring();
	const form = { method: 'POST', body: formOf(leadOf(lead)), redirect: 'manual' as const };
	const send = () => fetch(`${storing.server.url}/api/contact`, form);
	expect([(await send()).status, (await send()).status]).toEqual([303, 303]);
	await expectLeads(storing, ['one', 'last']);
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

test('without a store, the next with a key waits for the first', async () => {
	const held = Promise.withResolvers<void>();
	await using receiver = await startWebhookReceiver({ until: held.promise });
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	const answers = [1, 2].map(() => postLead(server.url, lead, key));
	await receiver.received(1);
	await expectProblem(await postLead(server.url, other, key), 422, 'idempotency-key-reused');
	held.resolve();
	expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
	expect(receiver.requests).toHaveLength(1);
});

test('without a store, a lead that nobody took may be sent again under its key', async () => {
	await using receiver = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 500 : 200 }));
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	expect((await postLead(server.url, lead, key)).status).toBe(503);
	expect((await postLead(server.url, lead, key)).status).toBe(200);
	expect(receiver.requests).toHaveLength(2);
});

test('without a store, a lead that a fault in the program has stopped may be sent again', async () => {
	const engine = vi.fn().mockRejectedValueOnce(new Error('A fault in the program'));
	const { intake } = await openPipeline({
		store: { kind: 'none' },
		channels: [{ name: 'email', send: async () => ({ ok: true }) }],
		schedule: [],
		retention: 0,
		language: 'en',
		spamPolicy: { mayHold: false, engine },
		log: pino({ level: 'silent' }),
	});
	await expect(intake.take(leadWith(), {})).rejects.toThrow('A fault');
	expect(await intake.take(leadWith(), {})).toBe('accepted');
});

test('keys and repetitions are known after a restart', async () => {
	await using backend = await startBackend();
	await backend.take(lead, { idempotencyKey: 'a' });
	await backend.take(other);
	await backend.restart({});
	expect(await backend.send(lead, { idempotencyKey: 'a' })).toBe('accepted');
	expect(await backend.send(other, { idempotencyKey: 'a' })).toBe('idempotency-key-reused');
	expect(await backend.send(other)).toBe('accepted');
	expect(backend.received()).toHaveLength(2);
});

test.skipIf(postgresMissing)('keys and repetitions are known to every instance on one PostgreSQL', async () => {
	await using postgres = await startPostgres();
	const settings = { LEAD_STORE: await postgres.createDatabase() };
	await using first = await startBackend(settings);
	await using second = await startBackend({ ...settings, LEAD_WEBHOOK_URL: first.receiver.url });
	await first.take(lead, { idempotencyKey: 'a' });
	expect(await second.send(lead, { idempotencyKey: 'a' })).toBe('accepted');
	expect(await second.send(other, { idempotencyKey: 'a' })).toBe('idempotency-key-reused');
	const atOnce = Array.from({ length: 20 }, (_, index) => [first, second][index % 2]!.send(other));
	expect(await Promise.all(atOnce)).toEqual(Array(20).fill('accepted'));
	await expect.poll(first.received).toHaveLength(2);
});

test.each([
	['with a key', { idempotencyKey: 'a' }, 24 * 60],
	['without a key', {}, 10],
])('the same lead %s is one lead for so many minutes: %j, %i', (_, sending, minutes) => {
	expect(onceFor(createSecretKey(Buffer.alloc(32)), leadWith(), sending).lifetime).toBe(minutes * 60_000);
});

type Destination = Pick<Awaited<ReturnType<typeof startStoring>>, 'receiver' | 'server'>;

/** Expects these leads, after a last one: earlier leads were due before it. A second copy of a lead has its id. */
async function expectLeads({ receiver, server }: Destination, messages: string[]): Promise<void> {
	await postLead(server.url, { message: 'last' });
	const leads = () => new Map(receiver.requests.map(({ headers, body }) => [headers['webhook-id'], messageIn(body)]));
	await expect.poll(() => [...leads().values()].toSorted()).toEqual(messages.toSorted());
}

const messageIn = (body: string) => (JSON.parse(body) as { data: { message: string } }).data.message;
