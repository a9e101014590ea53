import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { localCertificate, trust } from '../support/certificate.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { leadSenders } from '../support/lead-senders.ts';
import { NOBODY, onFreePorts, reached } from '../support/listening.ts';
import { formOf, lead, newLead, postLead } from '../support/post-lead.ts';
import { endLeases, postgresMissing, startPostgres } from '../support/postgres.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { shared } from '../support/shared.ts';
import { startRestartable, startServer } from '../support/server.ts';
import { missing } from '../support/missing.ts';
import { TestProcess } from '../support/process.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';

/** Each proxy with TLS that has a file in `dist/machines`: it runs with that file, adapted to this machine, in front of servers. */
const proxies = [
	{ name: 'nginx', missing: missing('nginx', existsSync('/usr/sbin/nginx'), 'install Debian’s nginx.'), start: startNginx },
	{ name: 'Caddy', missing: missing('Caddy', existsSync('/usr/bin/caddy'), 'install Debian’s caddy.'), start: startCaddy },
];

async function startNginx(servers: string[]) {
	const folder = await temporaryFolder();
	const at = (name: string) => path.join(folder.path, name);
	const { cert, key } = await localCertificate();
	mkdirSync(at('temp'));
	writeFileSync(at('cert.pem'), cert);
	writeFileSync(at('key.pem'), key);
	const { started: nginx, port } = await onFreePorts(async (port) => {
		const adapted = machineFile('one-machine.conf', [
			['listen 80;', `listen unix:${at('http.sock')};`],
			[/listen \[::\]:.*;/, ''],
			['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
			[/server_name .*;/, 'server_name localhost;'],
			[/(?<=ssl_certificate ).*(?=;)/, at('cert.pem')],
			[/(?<=ssl_certificate_key ).*(?=;)/, at('key.pem')],
			['/var/log/nginx/', `${folder.path}/`],
			// Each server has a line like the first.
			[/server 127\.0\.0\.1:4321(.*;)/, servers.map((url) => `server ${new URL(url).host}$1`).join('\n')],
		]);
		writeFileSync(at('nginx.conf'), configuration(adapted));
		const args = ['-p', folder.path, '-c', at('nginx.conf')];
		return new TestProcess(args, { program: '/usr/sbin/nginx', detached: true, end: 'TERM' }).until(() => reached(port));
	});
	const logs = machineFile('one-machine.conf').matchAll(/(?<=\/var\/log\/nginx\/)[^; ]*/g);
	return {
		origin: `https://localhost:${port}`,
		cert,
		logged: () => [nginx.output, ...[...logs].map(([name]) => readFileSync(at(name), 'utf8'))].join('\n'),
		...disposing(nginx, folder),
	};
}

const configuration = (servers: string) => `
daemon off;
${/* The workers would run as another user, who may not read the project's folder. */ process.getuid?.() === 0 ? 'user root root;' : ''}
worker_processes 1;
pid nginx.pid;
error_log stderr;
events {}
http {
	access_log access.log;
	${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((part) => `${part}_temp_path temp/${part};`).join('\n')}
	${servers}
}
`;

/** Its certificate is by itself: for `localhost` it is an authority of its own. */
async function startCaddy(servers: string[]) {
	const folder = await temporaryFolder();
	const file = path.join(folder.path, 'Caddyfile');
	const authority = path.join(folder.path, 'caddy/pki/authorities/local/root.crt');
	const { started: caddy, port } = await onFreePorts(async (port) => {
		const adapted = machineFile('Caddyfile', [
			[/^\{$/m, '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects'],
			['www.website.test {', `localhost:${port} {`],
			['127.0.0.1:4321', servers.map((url) => new URL(url).host).join(' ')],
		]);
		writeFileSync(file, adapted);
		const env = { XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path };
		const caddy = new TestProcess(['run', '--config', file], { program: '/usr/bin/caddy', env });
		const ask = () => fetchRaw(`https://localhost:${port}`, { ca: readFileSync(authority, 'utf8') });
		// It listens before it has its certificate.
		return caddy.until(async () => existsSync(authority) && ask().then(Boolean, () => false));
	});
	return {
		origin: `https://localhost:${port}`,
		cert: readFileSync(authority, 'utf8'),
		logged: () => caddy.output,
		...disposing(caddy, folder),
	};
}

/** Returns a built file for a machine with texts replaced. Each must be in it. */
function machineFile(name: string, replacements: [from: string | RegExp, to: string][] = []): string {
	let text = readFileSync(`var/test/dist/machines/${name}`, 'utf8');
	for (const [from, to] of replacements) {
		const pattern = typeof from === 'string' ? RegExp.escape(from) : from.source;
		const all = new RegExp(pattern, 'gm');
		if (!all.test(text)) throw new Error(`${name} has no ${from} to be replaced.`);
		text = text.replace(all, to);
	}
	return text;
}

const ACTIVATE = '/usr/bin/systemd-socket-activate';

const supervisorMissing = missing('Supervisor', existsSync(ACTIVATE), 'install Debian’s systemd.');

/** Runs the server on the socket that it inherits. Restarts it on SIGHUP. */
const SUPERVISOR = `
	const { spawn } = require('node:child_process');
	let server;
	const start = () => {
		server = spawn('sh', ['-c', 'LISTEN_PID=$$ exec "$0" "$@"', process.execPath, 'var/test/dist/server/entry.mjs'],
			{ stdio: ['ignore', 'ignore', 'inherit', 3] });
		server.once('exit', (code) => { start(); console.log('restarted after ' + code); });
	};
	process.on('SIGHUP', () => server.kill('SIGTERM'));
	start();
`;

/** Starts the production server under a supervisor that holds its socket, as systemd does with our units. */
async function startSupervised(env: Record<string, string>) {
	const passed = Object.entries({ PATH: process.env['PATH']!, ...env }).flatMap(([name, value]) => ['-E', `${name}=${value}`]);
	const { started: supervisor, port } = await onFreePorts(async (port) => {
		const args = ['-l', `127.0.0.1:${port}`, ...passed, process.execPath, '--eval', SUPERVISOR];
		const supervisor = new TestProcess(args, { program: ACTIVATE, detached: true });
		await supervisor.printed(/^Listening/m);
		return supervisor;
	});
	const url = `http://127.0.0.1:${port}`;
	// The first request starts it.
	const answers = async () => (await fetch(`${url}/api/status`, { headers: { connection: 'close' } })).bytes();
	await answers();
	let restarts = 0;
	return {
		url,
		/** Ends the server as systemd would, and starts it again. Resolves when the first one has ended in good order, and the next answers. */
		async restart(): Promise<void> {
			supervisor.signal('SIGHUP');
			restarts += 1;
			await supervisor.printed(new RegExp(`(restarted after \\d[^]*){${restarts}}`));
			if (/restarted after (?!0)\d/.test(supervisor.output))
				throw new Error(`The server did not end well:\n${supervisor.output}`);
			await answers();
		},
		async [Symbol.asyncDispose](): Promise<void> {
			// The server ends with its supervisor.
			process.kill(-supervisor.pid, 'SIGKILL');
			await supervisor[Symbol.asyncDispose]();
		},
	};
}

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
			const statuses: number[] = [];
			for (let client = 1; client <= 7; client += 1) {
				const headers = { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${client}` };
				statuses.push((await here('/api/contact', 'POST', headers, `{"website":"${client}"}`)).status);
			}
			expect(statuses.at(-1)).toBe(429);
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
