import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Certificate } from './certificate.ts';
import { freePort } from './free-port.ts';
import { listening } from './listening.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { tethered } from './tether.ts';

/** The nginx of Debian. */
const NGINX = '/usr/sbin/nginx';

/** Why there is no nginx to test with, or undefined if there is one. Printed once, because a skipped test is silent. */
export const nginxMissing = existsSync(NGINX) ? undefined : 'nginx tests skipped: install Debian’s nginx.';
if (nginxMissing) console.warn(nginxMissing);

export interface TestNginx extends AsyncDisposable {
	/** Its folder, with the logs. */
	folder: string;
	/** Reads its configuration again. */
	reload(servers: string): void;
}

/** Starts a private nginx with these `server` and `upstream` blocks. */
export async function startNginx(servers: string): Promise<TestNginx> {
	const folder = await temporaryFolder();
	const at = (name: string) => path.join(folder.path, name);
	mkdirSync(at('temp'));
	const write = (blocks: string) => writeFileSync(at('nginx.conf'), configuration(blocks));
	const run = (...args: string[]) => execFileSync(NGINX, ['-p', folder.path, '-c', at('nginx.conf'), ...args], { stdio: 'pipe' });

	write(servers);
	run('-t');
	const nginx = tethered(() => spawn(NGINX, ['-p', folder.path, '-c', at('nginx.conf')], { stdio: 'ignore', detached: true }));
	await listening(nginx, portIn(servers), () => readFileSync(at('error.log'), 'utf8'));
	return {
		folder: folder.path,
		reload(blocks) {
			write(blocks);
			run('-s', 'reload');
		},
		async [Symbol.asyncDispose]() {
			const exit = once(nginx, 'exit');
			nginx.kill('SIGTERM');
			await exit;
			await folder[Symbol.asyncDispose]();
		},
	};
}

const portIn = (servers: string) => Number(/listen 127\.0\.0\.1:(\d+)/.exec(servers)![1]);

/** Returns a built file for nginx with each text replaced. Each text must be in it. */
function nginxFile(file: string, replacements: Record<string, string>): string {
	return Object.entries(replacements).reduce(
		(text, [from, to]) => {
			if (!text.includes(from)) throw new Error(`${file} has no "${from}" to be replaced.`);
			return text.replaceAll(from, to);
		},
		readFileSync(file, 'utf8'),
	);
}

const configuration = (servers: string) => `
daemon off;
${/* Its workers would be another user's, who may not read where the project lies. */ process.getuid?.() === 0 ? 'user root root;' : ''}
worker_processes 1;
pid nginx.pid;
error_log error.log;
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

interface TlsOptions {
	port: number;
	certificate: Certificate;
	/** Removed with its files when the test ends. */
	folder: AsyncDisposableStack;
}

/** Returns a built file for a site, adapted to this machine with this port and certificate, and other replacements. */
export async function tlsServer(file: string, { port, certificate, folder }: TlsOptions, replacements: Record<string, string>) {
	const { path: place } = folder.use(await temporaryFolder());
	writeFileSync(path.join(place, 'cert.pem'), certificate.cert);
	writeFileSync(path.join(place, 'key.pem'), certificate.key);
	const [, host] = /server_name (.*);/.exec(readFileSync(file, 'utf8'))!;
	return nginxFile(file, {
		'listen [::]:80;': '',
		'listen [::]:443 ssl http2;': '',
		'listen 80;': `listen 127.0.0.1:${await freePort()};`,
		'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
		[`server_name ${host};`]: 'server_name localhost;',
		[`/etc/letsencrypt/live/${host}/fullchain.pem`]: path.join(place, 'cert.pem'),
		[`/etc/letsencrypt/live/${host}/privkey.pem`]: path.join(place, 'key.pem'),
		...replacements,
	});
}
