import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Certificate } from './certificate.ts';
import { onFreePorts, reached } from './listening.ts';
import { missing } from './missing.ts';
import { TestProcess } from './process.ts';
import { disposing, temporaryFolder } from './temporary-folder.ts';

const NGINX = '/usr/sbin/nginx';

export const nginxMissing = missing('nginx', existsSync(NGINX), 'install Debian’s nginx.');

/**
 * Starts a private nginx with a built file for a site, adapted to this machine, with this certificate and other replacements.
 * Returns the port with TLS.
 */
export async function startNginx(file: string, certificate: Certificate, replacements: Record<string, string>) {
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
