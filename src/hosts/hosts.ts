import { copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillFacts } from '../facts/fill.ts';
import type { Service } from '../facts/schema.ts';
import type { Manifest } from '../server/manifest.ts';
import { cloudflareFolder } from './cloudflare/folder.ts';
import { netlifyFolder } from './netlify/folder.ts';
import { vercelFolder } from './vercel/folder.ts';

/** The contents of a host's folder. Paths are relative to it. */
interface HostFolder {
	/** The contents of files that are not built yet, by path. An object becomes JSON. */
	written: Record<string, string | object>;
	/** The folder of the public files. Without one the program sends them: it finds them packed beside itself. */
	files?: string;
	/** The folder of the program with everything that it loads. */
	program: string;
}

/** The hosts for which the build writes a folder. Each has a folder here, whose `program.ts` becomes `NAME.mjs`. */
export const hosts: Record<string, (manifest: Manifest, options: WriteOptions) => HostFolder> = {
	cloudflare: cloudflareFolder,
	// `function` is the folder to zip. It answers everything.
	lambda: () => ({ program: 'function', written: {} }),
	netlify: netlifyFolder,
	vercel: vercelFolder,
};

/** Returns a warning if a file is too large for Lambda, whose answers have 6 MB at most, in base64 and with headers. */
export function tooLargeForLambda(manifest: Manifest): string | undefined {
	const large = Object.entries(manifest).find(([, { bodies }]) => bodies.identity![1] - bodies.identity![0] > 4_400_000);
	if (!large) return undefined;
	return `AWS Lambda answers with 6 MB, in base64, and cannot send ${large[0]} whole. Make it smaller, or use another host.`;
}

interface WriteOptions {
	dist: URL;
	programs: Programs;
	identifier: string;
	/** The id of a Hyperdrive configuration for Cloudflare, if there is one. */
	hyperdrive: string | undefined;
}

export interface Programs {
	/** Returns a program and everything that it loads, now or later, by path below `dist/server`. */
	filesOf(program: string): string[];
	/** Returns a text to put in place of a file that needs SQLite, which hosts of functions lack. */
	standInFor(file: string): string | undefined;
}

/** Writes a complete folder for each host, which may be copied elsewhere. */
export async function writeHostFolders(manifest: Manifest, options: WriteOptions): Promise<void> {
	const [dist, { programs }] = [fileURLToPath(options.dist), options];
	for (const [host, folderFor] of Object.entries(hosts)) {
		const { written, files, program } = folderFor(manifest, options);
		const folder = path.join(dist, 'hosts', host);
		await rm(folder, { recursive: true, force: true });
		const fromServer = (file: string) => place(path.join(dist, 'server', file), path.join(folder, program, file));
		if (files === undefined) for (const file of ['files.json', 'files.bin']) await fromServer(file);
		else
			for (const { file } of Object.values(manifest))
				await place(path.join(dist, 'client', file), path.join(folder, files, file));
		for (const file of programs.filesOf(`${host}.mjs`)) {
			// Settings refuse a SQLite store on these hosts, so no function loads such a file. Bundlers of hosts still follow the imports.
			const standIn = programs.standInFor(file);
			if (standIn === undefined) await fromServer(file);
			else written[path.join(program, file)] = standIn;
		}
		for (const [file, content] of Object.entries(written)) {
			await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
			// Fails if there is a file of that name: it may be a link to the build's own file.
			const text = typeof content === 'string' ? content : JSON.stringify(content, null, '\t');
			await writeFile(path.join(folder, file), text, { flag: 'wx' });
		}
	}
}

/** Links the file under a second name, which takes no room, or copies it if the disk has no hard links. */
async function place(from: string, to: string): Promise<void> {
	await mkdir(path.dirname(to), { recursive: true });
	await link(from, to).catch(() => copyFile(from, to));
}

/** Writes `dist/machines`: files for a machine of your own (systemd, nginx, Caddy, compose, Prometheus), with this product's names and host in them. */
export async function writeMachineFiles({ name, identifier }: Service, origin: string, dist: URL): Promise<void> {
	const files = {
		[identifier]: 'systemd/command.sh',
		[`${identifier}.service`]: 'systemd/unit.service',
		[`${identifier}.socket`]: 'systemd/unit.socket',
		[`${identifier}-canary.service`]: 'systemd/canary.service',
		[`${identifier}-canary.timer`]: 'systemd/canary.timer',
		Caddyfile: 'caddy/Caddyfile',
		'alerts.yml': 'prometheus/alerts.yml',
		'compose.yaml': 'container/compose.yaml',
		'one-machine.conf': 'nginx/one-machine.conf',
	};
	const { host, hostname, port } = new URL(origin);
	const facts = { name, identifier, origin, host, hostname, port: port || '443' };
	const folder = new URL('machines/', dist);
	await mkdir(folder, { recursive: true });
	for (const [file, template] of Object.entries(files)) {
		const text = await readFile(new URL(template, import.meta.url), 'utf8');
		await writeFile(new URL(file, folder), fillFacts(text, facts, `src/hosts/${template}`));
	}
}
