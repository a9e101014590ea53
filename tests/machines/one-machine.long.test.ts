import { describe, expect, test } from 'vitest';
import { trust } from '../support/certificate.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { leadSenders } from '../support/lead-senders.ts';
import { NOBODY } from '../support/listening.ts';
import { formOf, lead, newLead, postLead } from '../support/post-lead.ts';
import { endLeases, postgresMissing, startPostgres } from '../support/postgres.ts';
import { proxies, startSupervised, supervisorMissing } from '../support/one-machine.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { shared } from '../support/shared.ts';
import { startRestartable, startServer } from '../support/server.ts';

/** Settings without limits, and with short retries, so that no test ends early or waits. */
const tireless = { LEAD_RATE_LIMIT: 'off', TRUST_PROXY: '1', LEAD_RETRY: Array.from({ length: 60 }, () => '1s').join(' ') };
const LEADS = 120;
const SENDERS = 20;
describe.each(proxies)('behind $name', ({ name, missing, start: startProxy }) => {
	describe.skipIf(missing)('with TLS', () => {
		const team = shared(() => startSalesTeam());
		const server = shared(() => startServer({ ...team().settings, TRUST_PROXY: '1', LEAD_RATE_LIMIT: '6/1h' }));
		const proxy = shared(() => startProxy([server().url]));
		/** Sends exactly these headers, which `fetch` would change. */
		const here = (target: string, method = 'GET', headers: Record<string, string> = {}, body?: string) =>
			fetchRaw(proxy().origin + target, { method, headers, body, ca: proxy().cert });

		test('our own form is taken, and no other', async () => {
			const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
			for (const [origin, status] of Object.entries({ [proxy().origin]: 303, 'http://localhost': 403, null: 403 }))
				expect((await here('/api/contact', 'POST', { origin, ...headers }, String(formOf(lead)))).status).toBe(status);
		});

		test('the limit counts the client that the proxy saw, whatever the client says of itself', async () => {
			const answers = await Array.fromAsync({ length: 7 }, (_, client) => {
				const headers = { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${client}` };
				return here('/api/contact', 'POST', headers, `{"website":"${client}"}`);
			});
			expect(answers.at(-1)!.status).toBe(429);
		});

		test.each(['/', '/openapi.json', '/api/status', '/nothing'])('%s has the same headers as without it', async (target) => {
			const [direct, proxied] = [await fetchRaw(server().url + target), await here(target)];
			const own = new Set(['date', 'server', 'via', 'alt-svc', 'connection', 'keep-alive']);
			const comparable = ({ headers }: typeof direct) => Object.entries(headers).filter(([name]) => !own.has(name));
			expect(Object.fromEntries(comparable(proxied))).toEqual(Object.fromEntries(comparable(direct)));
			expect(proxied.headers['strict-transport-security']).toContain('max-age=');
		});

		test('an instance that is gone is left out', async () => {
			await using two = await startProxy([`http://${NOBODY}`, server().url]);
			const ask = async () => (await fetchRaw(`${two.origin}/`, { ca: two.cert })).status;
			await expect.poll(async () => new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([200]));
		});

		test('no log has the address of a client, or a query, even if no server answers', async () => {
			const localAddress = '127.0.0.99';
			await using alone = await startProxy([`http://${NOBODY}`]);
			for (const { origin, cert, logged } of [proxy(), alone]) {
				await fetchRaw(`${origin}/?secret=1`, { localAddress, ca: cert });
				expect(logged()).not.toMatch(/127\.0\.0\.99|secret/);
			}
		});
	});

	describe.skipIf(missing)('under load', () => {
		/** Starts two servers on one PostgreSQL behind the proxy, and senders of leads to them. All end with the stack. */
		async function startTwo<Server extends { url: string } & AsyncDisposable>(
			stack: AsyncDisposableStack,
			start: (env: Record<string, string>) => Promise<Server>,
		) {
			const team = stack.use(await startSalesTeam());
			const database = await stack.use(await startPostgres()).createDatabase();
			const settings = { ...team.settings, ...tireless, LEAD_STORE: database };
			const servers = [stack.use(await start(settings)), stack.use(await start(settings))];
			const proxy = stack.use(await startProxy(servers.map(({ url }) => url)));
			stack.use(trust(proxy));
			return { team, database, servers, senders: leadSenders(async () => proxy.origin) };
		}

		const restartable = [
			{ where: 'supervisors hold the sockets', start: startSupervised, isLeftOut: supervisorMissing },
			// Caddy answers 502 if a server refuses the connection.
			{ where: 'they listen themselves', start: startRestartable, isLeftOut: name === 'Caddy' },
		];
		const testOn = test.skipIf(postgresMissing).each(restartable.filter(({ isLeftOut }) => !isLeftOut));
		testOn('two instances are restarted in turn, twice, and no client notices where $where', async ({ start }) => {
			await using stack = new AsyncDisposableStack();
			const { team, servers, senders } = await startTwo(stack, start);
			let restarting = true;
			const load = senders.send(Infinity, SENDERS, () => restarting);
			await expect.poll(() => senders.accepted.size).toBeGreaterThan(LEADS / 2);
			for (const server of [...servers, ...servers]) await server.restart();
			restarting = false;
			await load;
			expect([...senders.statuses.keys()]).toEqual([200]);
			await expect.poll(() => team.missing(senders.sent)).toEqual([]);
			expect(team.doubled()).toEqual([]);
		});

		// Caddy passes a 503 on.
		test.skipIf(postgresMissing || name === 'Caddy')('an instance without its database is passed over', async () => {
			await using stack = new AsyncDisposableStack();
			const team = stack.use(await startSalesTeam());
			const database = await stack.use(await startPostgres()).createDatabase();
			const start = async (LEAD_STORE: string) => stack.use(await startServer({ ...team.settings, ...tireless, LEAD_STORE })).url;
			const [sound, broken] = [await start(database), await start(`postgres://${NOBODY}/leads`)];
			for (const [other, status] of Object.entries({ [sound]: 200, [broken]: 503 })) {
				await using proxy = await startProxy([broken, other]);
				using _ = trust(proxy);
				// One after the other, so that both have their turn.
				const statuses = [await postLead(proxy.origin, newLead()), await postLead(proxy.origin, newLead())];
				expect(statuses.map(({ status }) => status)).toEqual([status, status]);
			}
		});

		// Caddy does not repeat what the instance had.
		test.skipIf(postgresMissing || name === 'Caddy')('one of two instances is killed, and no lead is lost', async () => {
			await using stack = new AsyncDisposableStack();
			const { team, database, servers, senders } = await startTwo(stack, startServer);
			const { process } = servers[0]!;
			senders.onEvent = () => senders.accepted.size === LEADS / 2 && process.signal('SIGKILL');
			await senders.send(LEADS, SENDERS);
			await process.exit();
			await endLeases(database);
			expect(senders.accepted.size).toBe(LEADS);
			expect([...senders.statuses.keys()]).toEqual([200]);
			await expect.poll(() => team.missing(senders.accepted)).toEqual([]);
			expect(team.doubled()).toEqual([]);
		});
	});
});
