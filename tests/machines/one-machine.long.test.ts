import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Certificate, localCertificate, trust } from '../support/certificate.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { LeadSenders } from '../support/lead-senders.ts';
import { formOf, lead } from '../support/post-lead.ts';
import { endLeases, postgresMissing, startPostgres } from '../support/postgres.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { startSupervised, supervisorMissing } from '../support/supervisor.ts';
import { temporaryFolder, disposing } from '../support/temporary-folder.ts';
import { onFreePorts, reached } from '../support/listening.ts';
import { missing } from '../support/missing.ts';
import { TestProcess } from '../support/process.ts';

const NGINX = '/usr/sbin/nginx';
const nginxMissing = missing('nginx', existsSync(NGINX), 'install Debian’s nginx.');

/** Starts nginx with our file in front of these servers. @returns its origin */
async function startProxy(stack: AsyncDisposableStack, certificate: Certificate, servers: string[]): Promise<string> {
	const upstream = { 'server 127.0.0.1:4321;': servers.map((url) => `server ${new URL(url).host};`).join('\n') };
	const { port } = stack.use(await startNginx('var/test/dist/machines/one-machine.conf', certificate, upstream));
	return `https://localhost:${port}`;
}

describe.skipIf(nginxMissing)('behind nginx with TLS', () => {
	const stack = new AsyncDisposableStack();
	let server: TestServer;
	let certificate: Certificate;
	let origin: string;
	beforeAll(async () => {
		const team = stack.use(await startSalesTeam());
		server = stack.use(await startServer({ ...team.settings, TRUST_PROXY: '1', LEAD_RATE_LIMIT: '6/1h' }));
		certificate = await localCertificate();
		origin = await startProxy(stack, certificate, [server.url]);
	});
	afterAll(() => stack.disposeAsync());

	/** Sends exactly these headers, which `fetch` would change. */
	const here = (target: string, method = 'GET', headers: Record<string, string> = {}, body?: string) =>
		fetchRaw(origin + target, { method, headers, body, ca: certificate.cert });
	test.each([
		[303, () => origin],
		[403, () => 'http://localhost'],
		[403, () => 'https://elsewhere.example'],
		[403, () => 'null'],
	])('a form is answered %i where the browser says of its page: %o', async (status, from) => {
		const headers = { origin: from(), 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
		expect((await here('/api/contact', 'POST', headers, String(formOf(lead)))).status).toBe(status);
	});

	test('the limit counts the client that nginx saw, whatever the client says of itself', async () => {
		const statuses: number[] = [];
		for (let client = 1; client <= 7; client += 1) {
			const headers = { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${client}` };
			statuses.push((await here('/api/contact', 'POST', headers, '{"website":"x"}')).status);
		}
		expect(statuses.at(-1)).toBe(429);
	});

	test.each(['/', '/openapi.json', '/api/status', '/nothing'])('%s has the same headers as without nginx', async (target) => {
		const [direct, proxied] = [await fetchRaw(server.url + target, { method: 'GET', headers: {} }), await here(target)];
		const comparable = ({ date: _d, server: _s, connection: _c, 'keep-alive': _k, ...headers }: Record<string, string>) =>
			headers;
		expect(comparable(proxied.headers)).toEqual(comparable(direct.headers));
		expect(proxied.headers['strict-transport-security']).toContain('max-age=');
	});
});

/** Settings without limits, and with short retries, so that no test ends early or waits. */
const tireless = { LEAD_RATE_LIMIT: 'off', TRUST_PROXY: '1', LEAD_RETRY: Array.from({ length: 60 }, () => '1s').join(' ') };
const LEADS = 120;
const SENDERS = 20;

describe.skipIf(nginxMissing)('under load', () => {
	test.skipIf(supervisorMissing)('a restart is not noticed where a supervisor holds the socket', async () => {
		await using stack = new AsyncDisposableStack();
		const team = stack.use(await startSalesTeam());
		const folder = stack.use(await temporaryFolder());
		const server = stack.use(
			await startSupervised({ ...team.settings, ...tireless, LEAD_STORE: `sqlite:${folder.path}/leads.db` }),
		);
		const certificate = await localCertificate();
		using _ = trust(certificate);
		const origin = await startProxy(stack, certificate, [server.url]);
		const senders = new LeadSenders(async () => origin);

		for (let restarts = 0; restarts < 3; restarts += 1) {
			const load = senders.send(LEADS / 3, SENDERS);
			await half(senders, LEADS / 3);
			await server.restart();
			await load;
		}
		expect([...senders.statuses]).toEqual([[200, LEADS]]);
		await expect.poll(() => team.missing(senders.accepted)).toEqual([]);
	});

	test.skipIf(postgresMissing).each(['SIGTERM', 'SIGKILL'] as const)(
		'of two instances on one PostgreSQL one is taken away by %s, and no lead is lost',
		async (signal) => {
			await using stack = new AsyncDisposableStack();
			const team = stack.use(await startSalesTeam());
			const database = await stack.use(await startPostgres()).createDatabase();
			const start = async () => stack.use(await startServer({ ...team.settings, ...tireless, LEAD_STORE: database }));
			const [first, second] = [await start(), await start()];
			const certificate = await localCertificate();
			using _ = trust(certificate);
			const origin = await startProxy(stack, certificate, [first.url, second.url]);
			const senders = new LeadSenders(async () => origin);

			const load = senders.send(LEADS, SENDERS);
			await half(senders, LEADS);
			first.process.signal(signal);
			await load;
			await first.process.exit();
			await endLeases(database);
			expect(senders.accepted.size).toBe(LEADS);
			expect([...senders.statuses.keys()]).toEqual([200]);
			await expect.poll(() => team.missing(senders.accepted)).toEqual([]);
		},
	);
});

/** Resolves when half of the leads have answers. */
function half(senders: LeadSenders, leads: number): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	let left = leads / 2;
	senders.onEvent = (event) => {
		if (event === 'answered' && --left === 0) resolve();
	};
	return promise;
}

/**
 * Starts a private nginx with a built file for a site, adapted to this machine, with this certificate and other replacements.
 * Returns the port with TLS.
 */
async function startNginx(file: string, certificate: Certificate, replacements: Record<string, string>) {
	const folder = await temporaryFolder();
	const at = (name: string) => path.join(folder.path, name);
	mkdirSync(at('temp'));
	writeFileSync(at('cert.pem'), certificate.cert);
	writeFileSync(at('key.pem'), certificate.key);
	const [, host] = /server_name (.*);/.exec(readFileSync(file, 'utf8'))!;
	const { nginx, port } = await onFreePorts(async (port) => {
		const servers = nginxFile(file, {
			'listen [::]:80;': '',
			'listen [::]:443 ssl http2;': '',
			'listen 80;': `listen unix:${at('http.sock')};`,
			'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
			[`server_name ${host};`]: 'server_name localhost;',
			[`/etc/letsencrypt/live/${host}/fullchain.pem`]: at('cert.pem'),
			[`/etc/letsencrypt/live/${host}/privkey.pem`]: at('key.pem'),
			...replacements,
		});
		writeFileSync(at('nginx.conf'), configuration(servers));
		const args = ['-p', folder.path, '-c', at('nginx.conf')];
		const nginx = new TestProcess(args, { program: NGINX, detached: true, end: 'TERM' });
		await nginx.until(() => reached(port));
		return { nginx, port };
	});
	return {
		port,
		...disposing(nginx, folder),
	};
}

/** Returns a built file for nginx with each text replaced. Each text must be in it. */
function nginxFile(file: string, replacements: Record<string, string>): string {
	let text = readFileSync(file, 'utf8');
	for (const [from, to] of Object.entries(replacements)) {
		if (!text.includes(from)) throw new Error(`${file} has no "${from}" to be replaced.`);
		text = text.replaceAll(from, to);
	}
	return text;
}

const configuration = (servers: string) => `
daemon off;
${/* Its workers would be another user's, who may not read where the project lies. */ process.getuid?.() === 0 ? 'user root root;' : ''}
worker_processes 1;
pid nginx.pid;
error_log stderr;
events {}
http {
	access_log access.log;
	client_body_temp_path temp/body;
	proxy_temp_path temp/proxy;
	fastcgi_temp_path temp/fastcgi;
	uwsgi_temp_path temp/uwsgi;
	scgi_temp_path temp/scgi;
	${servers}
}
`;
