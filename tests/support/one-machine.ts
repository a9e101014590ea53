import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { localCertificate } from './certificate.ts';
import { fetchRaw } from './fetch-raw.ts';
import { onFreePorts, reached } from './listening.ts';
import { missing } from './missing.ts';
import { TestProcess } from './process.ts';
import { disposing, temporaryFolder } from './temporary-folder.ts';

/** A proxy with TLS in front of servers, and what signed its certificate, in PEM. */
export interface Proxy extends AsyncDisposable, Record<'origin' | 'cert', string> {
	logged(): string;
}

/** Each proxy that has a file in `dist/machines`: it runs with that file, adapted to this machine. */
export const proxies: { name: string; missing: string | undefined; start: (servers: string[]) => Promise<Proxy> }[] = [
	{ name: 'nginx', missing: missing('nginx', existsSync('/usr/sbin/nginx'), 'install Debian’s nginx.'), start: startNginx },
	{ name: 'Caddy', missing: missing('Caddy', existsSync('/usr/bin/caddy'), 'install Debian’s caddy.'), start: startCaddy },
];

async function startNginx(servers: string[]): Promise<Proxy> {
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
async function startCaddy(servers: string[]): Promise<Proxy> {
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

export const supervisorMissing = missing('Supervisor', existsSync(ACTIVATE), 'install Debian’s systemd.');

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
export async function startSupervised(env: Record<string, string>) {
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
