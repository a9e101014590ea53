import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keyHash, publicTestKey, looksLikeKey } from '../../src/api/authentication.ts';
import { newKey } from '../../src/cli/keys.ts';
import { keyFormOf } from '../../src/facts/facts.ts';
import { openStore } from '../../src/store/store.ts';
import { service } from '../../src/facts/load.ts';
import { issueKey } from '../support/api-key.ts';
import { problems } from '../../src/api/answer.ts';
import { json, leadOf, type LeadValues, postBody, postLead, withoutReference } from '../support/post-lead.ts';
import { expectProblem } from '../support/problem.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startLeadKeeping, startStoring } from '../support/lead-places.ts';

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const newFields = () => ({ message: randomUUID() });
const challenge = 'Bearer error="invalid_token"';

let addresses = 0;
const newAddress = () => `192.0.2.${++addresses}`;

describe.skipIf(service.keys === 'none')('a lead that is sent with an API key', () => {
	const storing = shared(() => startStoring({ LEAD_RATE_LIMIT: '3/10m', TRUST_PROXY: '1' }));
	const store = shared(() => openStore({ kind: 'sqlite', path: `${storing().folder}/leads.db` }));

	/** Sends from its own address, so that no test uses up the limit of another. */
	const send = (headers: Record<string, string>, fields: Record<string, string> = newFields(), address = newAddress()) =>
		postLead(storing().server.url, fields, { 'x-forwarded-for': address, ...headers });
	const delivered = (message: string) =>
		storing()
			.receiver.events()
			.find(({ data }) => data['message'] === message)?.data;

	test('is taken, counted by the key and its own limit, and not by the address', async () => {
		const { key } = await issueKey(store(), { limit: { limit: 4, window: 60 } });
		const address = newAddress();
		const answers = [];
		for (let turn = 0; turn < 5; turn += 1) answers.push(await send(bearer(key), newFields(), address));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
		expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"default";q=4;w=60');
		expect(Number(answers[4]!.headers.get('retry-after'))).toBeLessThanOrEqual(60);
		expect((await send({}, newFields(), address)).headers.get('ratelimit')).toMatch(/r=2;/);
		expect((await send(bearer(key))).status).toBe(429);
	});

	test('names key and owner in what is delivered, in the command’s lists and in the log, and of a broken key no owner', async () => {
		const { key, id } = await issueKey(store());
		const fields = newFields();
		expect((await send(bearer(key), fields)).status).toBe(200);
		await expect.poll(() => delivered(fields.message)).toMatchObject({ apiKey: { id, owner: 'Acme Agents' } });
		// A hit is answered as any lead, and quarantined with its key.
		expect((await send(bearer(key), { website: 'https://spam.example' })).status).toBe(200);
		expect(await store().keys.find(id)).toMatchObject({ leads: 2, lastUsed: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
		const printed = async (...args: string[]) => (await storing().leads(...args)).stdout;
		for (const state of ['delivered', 'quarantined'])
			expect(await printed('list', '--state', state)).toContain(`sent with key ${id}`);
		expect(await printed('list', '--json')).toContain(`"apiKey": "${id}"`);
		expect(await printed('export')).toContain(`"apiKey":"${id}"`);
		await expect.poll(() => storing().server.process.log).toContainEqual(expect.objectContaining({ key: id, status: 200 }));
		const lead = String(delivered(fields.message)!['id']);
		expect(await printed('show', lead)).toContain(`Sent by: Acme Agents with key ${id}`);
		spoil(id);
		expect(await printed('show', lead)).toContain(`an unknown owner with key ${id}`);
	});

	async function keyAfter(change: (id: string) => unknown): Promise<string> {
		const { key, id } = await issueKey(store());
		await change(id);
		return key;
	}

	/** Returns a key that shares its id alone with one that works. */
	const alike = async () => (await issueKey(store(), { hash: keyHash(store().secret, newKey()) })).key;

	/** Makes the row of a key unreadable. */
	function spoil(id: string): void {
		using database = storing().database();
		database.prepare(`UPDATE api_keys SET content = x'00' WHERE id = ?`).run(id);
	}

	test.each<[string, () => string | Promise<string>]>([
		['unknown', newKey],
		['mistyped', () => newKey().slice(0, -1)],
		['something else', () => 'x'],
		['empty', () => ''],
		['one that only shares its id with a key that works', alike],
		['revoked by somebody whose clock is ahead', () => keyAfter((id) => store().keys.revoke(id, Date.now() + 600_000))],
		['one that cannot be read any more', () => keyAfter(spoil)],
	])('that is %s is refused before anything else is looked at, and nothing is taken', async (_, keyOf) => {
		const headers = { 'x-forwarded-for': newAddress(), ...bearer(await keyOf()) };
		const answer = await postBody(storing().server.url, { nonsense: true }, headers);
		expect(answer.headers.get('www-authenticate')).toBe(challenge);
		expect(answer.headers.get('access-control-expose-headers')).toContain('www-authenticate');
		await expectProblem(answer, 401, 'invalid-credential');
	});

	test('without the scope is refused, and told which one it lacks', async () => {
		const { key } = await issueKey(store(), { scopes: ['status:read'] });
		const answer = await send(bearer(key));
		expect(answer.status).toBe(403);
		expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="contact:write"');
	});

	test('whatever the case of the scheme, works, and what comes with another scheme does no harm', async () => {
		const { key } = await issueKey(store());
		for (const scheme of ['bearer', 'Bearer ']) expect((await send({ authorization: `${scheme} ${key}` })).status).toBe(200);
		// Neither does a key that somebody quotes, nor a name that begins like one.
		const cookie = `${keyFormOf(service.identifier).prefix}consent=1`;
		expect((await send({ cookie }, { message: `Is ${publicTestKey} yours?`, notes: publicTestKey })).status).toBe(200);
		for (const authorization of ['Basic c3RhZ2luZzpzZWNyZXQ=', 'Digest username="x"', 'Bearerx y', 'Token abc']) {
			const answer = await send({ authorization });
			expect([answer.status, answer.headers.get('ratelimit-policy')]).toEqual([200, '"default";q=3;w=600']);
		}
	});

	test.each<[string, Record<string, string>, string?]>([
		['without a scheme', { authorization: publicTestKey }],
		['of another scheme', { authorization: `Token ${publicTestKey}` }],
		['as a user name', { authorization: `Basic ${btoa(`${publicTestKey}:`)}` }],
		['as a password', { authorization: `basic  ${btoa(`ana:${publicTestKey}`)}` }],
		['in a cookie', { cookie: `session=1; api_key=${publicTestKey}` }],
		['in a header for keys', { 'x-api-key': publicTestKey }],
		['in the address', {}, `?lang=en&api_key=${publicTestKey}`],
	])('%s is refused, also beside one that is where it should be, and not delivered', async (_, headers, query = '') => {
		for (const beside of [{}, bearer(publicTestKey)]) {
			const fields = newFields();
			const sent = json(leadOf(fields), { 'x-forwarded-for': newAddress(), ...beside, ...headers });
			const answer = await fetch(`${storing().server.url}/api/contact${query}`, sent);
			expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge]);
			expect(JSON.stringify(await store().list({ limit: 1000 }))).not.toContain(fields.message);
		}
	});

	test('cannot be guessed: after too many that nobody has, one must wait, and what is no try keeps nobody from a key', async () => {
		const [{ key }, expired] = [await issueKey(store()), await issueKey(store(), { endsAt: Date.now() - 1 })];
		const address = newAddress();
		const statusOf = async (headers: Record<string, string>) => (await send(headers, newFields(), address)).status;
		for (const wrong of ['x', 'x', 'x', expired.key, expired.key, expired.key, expired.key])
			expect(await statusOf(bearer(wrong))).toBe(401);
		for (const status of [401, 401, 401, 429, 429]) expect(await statusOf(bearer(newKey()))).toBe(status);
		expect(Number((await send(bearer(newKey()), {}, address)).headers.get('retry-after'))).toBeGreaterThan(0);
		for (const headers of [bearer(key), bearer(publicTestKey), {}]) expect(await statusOf(headers)).toBe(200);
	});

	test('has Idempotency-Keys of its own', async () => {
		const [one, two] = [await issueKey(store()), await issueKey(store())];
		const [first, second] = [newFields(), newFields()];
		const statusOf = async ({ key }: typeof one, fields: typeof first) =>
			(await send({ ...bearer(key), 'idempotency-key': 'order-1' }, fields)).status;
		expect([await statusOf(one, first), await statusOf(one, first)]).toEqual([200, 200]);
		expect([await statusOf(one, second), await statusOf(two, second)]).toEqual([422, 200]);
		expect(await store().keys.find(one.id)).toMatchObject({ leads: 1 });
	});

	test('that is the public test key is answered as any, says so, and is kept and delivered nowhere', async () => {
		const [tried, meant] = [newFields(), newFields()];
		const [test, real] = [await send(bearer(publicTestKey), tried), await send({}, meant)];
		expect([test.status, withoutReference(await test.text())]).toEqual([200, withoutReference(await real.text())]);
		expect([test.headers.get('test-key'), real.headers.get('test-key')]).toEqual(['?1', null]);
		const kept = JSON.stringify(await store().list({ limit: 1000 }));
		expect([kept.includes(tried.message), kept.includes(meant.message)]).toEqual([false, true]);
		const wrong = await send(bearer(publicTestKey), { email: 'nobody' });
		expect([wrong.status, wrong.headers.get('test-key')]).toEqual([422, '?1']);
		const again = { ...bearer(publicTestKey), 'idempotency-key': randomUUID() };
		const spam = { website: 'https://spam.example' };
		for (const headers of [bearer(publicTestKey), again]) {
			const sent: Record<string, string>[] = [tried, tried, newFields(), spam, spam];
			const bodies: string[] = [];
			for (const fields of sent) bodies.push(await (await send(headers, fields)).text());
			const [one, repeat, other, hit, hitAgain] = bodies;
			expect([repeat, hitAgain]).toEqual([one, hit]);
			expect(new Set([one, other, hit]).size).toBe(3);
		}
		await expectProblem(await send({ ...again, 'idempotency-key': 'two words' }), 400, 'malformed-request');
	});

	test.each([
		['429', 'rate-limited', { ratelimit: '"submissions";r=0;t=1', 'ratelimit-policy': expect.any(String), 'retry-after': '1' }],
		['500', 'internal-error', {}],
		['503', 'unavailable', { ratelimit: expect.stringMatching(/^"submissions";r=29;/) }],
		['429; retry-after=40', 'rate-limited', { 'retry-after': '40', ratelimit: '"submissions";r=0;t=40' }],
		['408', 'request-timeout', {}],
		['idempotency-key-reused', 'idempotency-key-reused', { 'ratelimit-policy': '"submissions";q=30;w=600' }],
		['503; retry-after=40', 'malformed-request', {}],
		['409', 'malformed-request', {}],
		['', 'malformed-request', {}],
	] as const)('with the test key, Test-Answer: %s is answered %s, and ignored without it', async (asked, name, headers) => {
		const answer = await send({ ...bearer(publicTestKey), 'test-answer': asked });
		expect(Object.fromEntries(answer.headers)).toMatchObject({ ...headers, 'test-key': '?1' });
		await expectProblem(answer, problems[name].status, name);
		expect((await send({ 'test-answer': asked })).status).toBe(200);
	});

	test('is answered 503 while the store cannot look its key up', async () => {
		const { key } = await issueKey(store());
		using database = storing().database();
		database.exec('ALTER TABLE api_keys RENAME TO elsewhere');
		await expectProblem(await send(bearer(key)), 503, 'unavailable');
		database.exec('ALTER TABLE elsewhere RENAME TO api_keys');
		expect((await send(bearer(key))).status).toBe(200);
	});

	test('the public test key is counted by address, and apart from leads', async () => {
		const address = newAddress();
		const statusOf = async (headers: Record<string, string>) => (await send(headers, newFields(), address)).status;
		for (const headers of [bearer(publicTestKey), {}]) {
			const answers = await Promise.all(Array.from({ length: 4 }, () => statusOf(headers)));
			expect(answers.toSorted()).toEqual([200, 200, 200, 429]);
		}
	});
});

test.skipIf(service.keys === 'none')('a key that the server has seen is refused a minute after it was revoked', async () => {
	await using keeping = await startLeadKeeping();
	await using server = await startServer(keeping.env, ['--import', './tests/support/minute-later.ts']);
	const { id, key } = await keeping.issue();
	expect((await postLead(server.url, {}, bearer(key))).status).toBe(200);
	await keeping.keys('revoke', id, '--yes');
	server.process.signal('SIGUSR2');
	await expect.poll(async () => (await postLead(server.url, {}, bearer(key))).status).toBe(401);
});

test('without a store only the public test key works', async () => {
	await using storing = await startStoring({ LEAD_STORE: 'none' });
	const answers = [publicTestKey, newKey()].map((key) => postLead(storing.server.url, {}, bearer(key)));
	expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 401]);
	expect(storing.receiver.requests).toHaveLength(0);
});

test.each([
	['there is no delivery', startServer, 200],
	['the file of the store cannot be written', startSpoiled, 503],
])('where %s a valid lead is answered 503, with the test key as without one', async (_, start, toHit) => {
	await using server = await start();
	for (const testKey of [null, '?1']) {
		const sent: LeadValues[] = [{}, { email: 'nobody' }, { website: 'x' }];
		const answers = await Promise.all(sent.map((fields) => postLead(server.url, fields, testKey ? bearer(publicTestKey) : {})));
		const wanted = [503, 422, toHit].map((status) => [status, testKey]);
		expect(answers.map((answer) => [answer.status, answer.headers.get('test-key')])).toEqual(wanted);
	}
});

async function startSpoiled() {
	const storing = await startStoring();
	using database = storing.database();
	for (const table of ['lead_keys', 'lead_entries']) database.exec(`ALTER TABLE ${table} RENAME TO no_${table}`);
	return { url: storing.server.url, [Symbol.asyncDispose]: () => storing[Symbol.asyncDispose]() };
}

const { pattern, prefix } = keyFormOf(service.identifier);

test.each([newKey(), publicTestKey])('a key has the form that is published: %s', (key) => {
	expect(key).toMatch(new RegExp(`^${pattern}$`));
	expect(key.startsWith(prefix)).toBe(true);
	expect(looksLikeKey(key)).toBe(true);
});

test('a double click selects all of a key, whatever the service is called', () => {
	expect(keyFormOf('front-desk').publicTestKey).toMatch(/^front_desk_test_\w+$/);
});

test('each typing error is seen without asking the store', () => {
	const key = newKey();
	for (let at = service.identifier.length + 1; at < key.length; at += 1) {
		const wrong = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
		expect(looksLikeKey(wrong)).toBe(false);
	}
	for (const wrong of [`${key}0`, key.slice(1)]) expect(looksLikeKey(wrong)).toBe(false);
});
