import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lead } from '../support/post-lead.ts';
import { connectedTo, postgresMissing, startPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const FORM = 'application/x-www-form-urlencoded';
const newLead = () => ({ ...lead, message: randomUUID() });

const post = ({ url }: TestServer, body: object, forwardedFor?: string) =>
	fetch(`${url}/api/contact`, {
		method: 'POST',
		body: JSON.stringify(body),
		headers: { 'content-type': 'application/json', ...(forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}) },
	});
const statusOf = async (...request: Parameters<typeof post>) => (await post(...request)).status;

describe('one client is', () => {
	test.each([
		['an IPv4 address', '192.0.2.1', '192.0.2.1'],
		['the same, written as IPv6', '192.0.2.1', '::ffff:192.0.2.1'],
		['the same, in hexadecimal', '192.0.2.1', '::ffff:c000:201'],
		['an IPv6 network of 64 bits', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
		['the same, written out', '2001:db8:1:2::1', '2001:0DB8:0001:0002:0000:0000:0000:0009'],
		['the same, with the name of an interface', 'fe80::1%br-lan', 'fe80::2%eth0.1'],
		['whoever our proxy names, behind forged entries', '192.0.2.1', '198.51.100.7, 192.0.2.1'],
		['whoever our proxy names, behind no address at all', '192.0.2.1', 'unknown, <script>,, 192.0.2.1'],
	])('%s', async (_case, first, second) => {
		await using server = await startServer({ LEAD_RATE_LIMIT: '1/10m', TRUST_PROXY: '1' });
		expect([await statusOf(server, {}, first), await statusOf(server, {}, second)]).toEqual([422, 429]);
	});
});

describe('another client is', () => {
	test.each([
		['the next IPv4 address', '192.0.2.1', '192.0.2.2'],
		['the next IPv6 network', '2001:db8:1:2::1', '2001:db8:1:3::1'],
		['whoever our proxy names, whatever stands before', '198.51.100.7, 192.0.2.1', '198.51.100.7, 192.0.2.2'],
	])('%s', async (_case, first, second) => {
		await using server = await startServer({ LEAD_RATE_LIMIT: '1/10m', TRUST_PROXY: '1' });
		expect([await statusOf(server, {}, first), await statusOf(server, {}, second)]).toEqual([422, 422]);
	});
});

describe.each([['in memory', undefined], ...(postgresMissing ? [] : [['on PostgreSQL', startPostgres] as const])] as const)(
	'an IPv6 site, %s,',
	(_where, startStore) => {
		const remainingOf = ({ headers }: Response) => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
		const policyOf = ({ headers }: Response) => headers.get('ratelimit-policy');
		const network = (number: number) => `2001:db8:1:${number.toString(16)}::1`;

		let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
		beforeAll(async () => {
			postgres = await startStore?.();
		}, 60_000);
		afterAll(() => postgres?.[Symbol.asyncDispose]());
		const start = async (limit: string) =>
			startServer({
				LEAD_RATE_LIMIT: limit,
				TRUST_PROXY: '1',
				LOG_LEVEL: 'warn',
				...(postgres && { LEAD_STORE: await postgres.createDatabase() }),
			});

		test('may send ten times as many as one of its networks, and the next site still may', async () => {
			await using server = await start('2/10m');
			const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => post(server, {}, network(number))));
			expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422));
			const refused = await post(server, {}, network(99));
			expect([refused.status, policyOf(refused), remainingOf(refused)]).toEqual([429, '"default";q=20;w=600', 0]);
			expect(await statusOf(server, {}, '2001:db8:2::1')).toBe(422);
		});

		test('is told of the quota that is tighter', async () => {
			await using server = await start('2/10m');
			const first = await post(server, {}, network(0));
			expect([policyOf(first), remainingOf(first)]).toEqual(['"default";q=2;w=600', 1]);
			for (let number = 1; number < 19; number += 1) await post(server, {}, network(number));
			const last = await post(server, {}, network(19));
			expect([policyOf(last), remainingOf(last)]).toEqual(['"default";q=20;w=600', 0]);
		});

		test('is not used up by what one of its networks sends beyond its limit', async () => {
			await using server = await start('2/10m');
			const flood = await Promise.all(Array.from({ length: 30 }, () => statusOf(server, {}, network(0))));
			expect(flood.filter((status) => status === 422)).toHaveLength(2);
			const others = await Promise.all(Array.from({ length: 18 }, (_, number) => statusOf(server, {}, network(number + 1))));
			expect(others).toEqual(others.map(() => 422));
			expect(await statusOf(server, {}, network(50))).toBe(429);
		});
	},
);

test('where the proxy writes no address all share its limit, and the log says so once, without the address', async () => {
	await using server = await startServer({ LEAD_RATE_LIMIT: '2/10m', TRUST_PROXY: '1' });
	const paths = ['unknown', '198.51.100.7, unknown', '_hidden', '192.0.2.1:port'];
	const answers = await Promise.all(paths.map((path) => statusOf(server, {}, path)));
	expect(answers.toSorted()).toEqual([422, 422, 429, 429]);
	expect(await statusOf(server, {}, '192.0.2.1')).toBe(422);
	const warnings = server.process.log.filter(({ level }) => level === 'warn').map(({ msg, count }) => [msg, count]);
	expect(warnings).toContainEqual([expect.stringMatching(/^X-Forwarded-For has no address .* TRUST_PROXY/), 1]);
	expect(warnings.filter(([message]) => String(message).startsWith('X-Forwarded-For'))).toHaveLength(1);
	expect(server.process.output).not.toMatch(/198\.51\.100\.7|_hidden/);
});

test('without a proxy of ours, a forged X-Forwarded-For changes nothing', async () => {
	await using server = await startServer({ LEAD_RATE_LIMIT: '2/10m' });
	const forged = ['192.0.2.1', '192.0.2.2', '2001:db8::1'];
	expect([await statusOf(server, {}, forged[0]), await statusOf(server, {}, forged[1])]).toEqual([422, 422]);
	const refused = await post(server, {}, forged[2]);
	expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"default";q=2;w=600']);
	expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${refused.headers.get('retry-after')}`);
});

test('a form that cannot be read counts as well, and then is answered 429', async () => {
	await using server = await startServer({ LEAD_RATE_LIMIT: '2/10m' });
	const send = (headers: Record<string, string>) =>
		fetch(`${server.url}/api/contact`, { method: 'POST', body: 'name=a&name=b', headers: { 'content-type': FORM, ...headers } });
	const coded = { 'content-encoding': 'br', 'accept-language': 'de' };
	expect([(await send({})).status, (await send(coded)).status]).toEqual([400, 415]);
	const refused = await send(coded);
	expect([refused.status, refused.headers.get('content-language'), refused.headers.has('retry-after')]).toEqual([
		429,
		'de',
		true,
	]);
	expect(await refused.text()).toContain('10 Minuten');
});

test('leads, wrong leads and honeypot hits count alike, and what is no lead at all does not', async () => {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_RATE_LIMIT: '3/10m', LEAD_WEBHOOK_URL: receiver.url });
	const notCounted = await fetch(`${server.url}/api/contact`, { method: 'POST', body: 'x' });
	const counted = [await statusOf(server, newLead()), await statusOf(server, {}), await statusOf(server, { website: 'x' })];
	expect([notCounted.status, ...counted, await statusOf(server, newLead())]).toEqual([415, 200, 422, 200, 429]);
});

describe.skipIf(postgresMissing)('on PostgreSQL', () => {
	test('instances share the limit', async () => {
		await using postgres = await startPostgres();
		await using receiver = await startWebhookReceiver();
		const LEAD_STORE = await postgres.createDatabase();
		const settings = { LEAD_STORE, LEAD_RATE_LIMIT: '2/10m', LEAD_WEBHOOK_URL: receiver.url };
		await using one = await startServer(settings);
		await using other = await startServer(settings);
		const statuses = [await statusOf(one, newLead()), await statusOf(other, newLead()), await statusOf(one, newLead())];
		expect([...statuses, await statusOf(other, newLead())]).toEqual([200, 200, 429, 429]);
	});

	test('what a clock has counted that was ahead does not outlast its window', async () => {
		await using postgres = await startPostgres();
		await using receiver = await startWebhookReceiver();
		const LEAD_STORE = await postgres.createDatabase();
		const settings = { LEAD_STORE, LEAD_RATE_LIMIT: '1/1m', LEAD_WEBHOOK_URL: receiver.url };
		await using ahead = await startServer(settings, [], ['--import', './tests/support/fast-clock.ts']);
		await using corrected = await startServer(settings);
		const statuses = [
			await statusOf(ahead, newLead()),
			await statusOf(corrected, newLead()),
			await statusOf(corrected, newLead()),
		];
		expect(statuses).toEqual([200, 200, 429]);
	});

	test('what was counted is deleted once the count ends, of instances that are gone as well', async () => {
		await using postgres = await startPostgres();
		await using receiver = await startWebhookReceiver();
		const LEAD_STORE = await postgres.createDatabase();
		const settings = { LEAD_STORE, LEAD_WEBHOOK_URL: receiver.url, LEAD_RATE_LIMIT: '2/3s' };
		await using earlier = await startServer(settings);
		await using client = await connectedTo(LEAD_STORE);
		const counts = async () => (await client.query('SELECT FROM lead_rate_limits')).rowCount;
		const ahead = Date.now() + 40 * 86_400_000;
		await client.query(
			`INSERT INTO lead_rate_limits VALUES ('of an instance that is gone', 1, 0), ('of a clock that was ahead', 1, ${ahead})`,
		);
		await using _ = await startServer(settings);
		await expect.poll(counts).toBe(0);
		await statusOf(earlier, newLead());
		expect(await counts()).toBe(1);
		await expect.poll(counts, { timeout: 10_000 }).toBe(0);
	});

	test('each instance limits by itself while the database is away, and a lead gets 503', async ({ skip }) => {
		await using postgres = await startPostgres();
		if (!postgres.control) return skip('The server of TEST_POSTGRES_URL is not ours to stop.');
		await using receiver = await startWebhookReceiver();
		const LEAD_STORE = await postgres.createDatabase();
		await using server = await startServer({ LEAD_STORE, LEAD_RATE_LIMIT: '3/10m', LEAD_WEBHOOK_URL: receiver.url });
		await postgres.control.stop();
		const statuses = [await statusOf(server, {}), await statusOf(server, newLead()), await statusOf(server, { website: 'x' })];
		expect([...statuses, await statusOf(server, {})]).toEqual([422, 503, 200, 429]);
		await postgres.control.start();
		await expect.poll(() => statusOf(server, newLead())).toBe(200);
	});
});
