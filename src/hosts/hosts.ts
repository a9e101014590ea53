import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Manifest } from '../server/files/manifest.ts';
import { fillFacts } from '../facts/facts.ts';
import type { Service } from '../facts/schema.ts';
import { cloudflareFolder } from './cloudflare/folder.ts';
import { type HostFolder, type HostOptions, type Programs, writeFolder } from './folder.ts';
import { lambdaFolder } from './lambda/folder.ts';
import { netlifyFolder } from './netlify/folder.ts';
import { vercelFolder } from './vercel/folder.ts';

/** The hosts for which the build writes a folder. Each has a folder here, whose `program.ts` becomes `NAME.mjs`. */
export const hosts: Record<string, (manifest: Manifest, options: HostOptions) => HostFolder> = {
	cloudflare: cloudflareFolder,
	lambda: lambdaFolder,
	netlify: netlifyFolder,
	vercel: vercelFolder,
};

interface WriteOptions extends HostOptions {
	/** The folder of the build. */
	dist: URL;
	programs: Programs;
}

/** Writes a complete folder for each host. Returns the warnings of hosts. */
export async function writeHostFolders(manifest: Manifest, { dist, programs, ...options }: WriteOptions): Promise<string[]> {
	const root = fileURLToPath(dist);
	const files = Object.values(manifest).map(({ file }) => file);
	const parts = { client: path.join(root, 'client'), server: path.join(root, 'server'), files, programs };
	const warnings: string[] = [];
	for (const [host, folderFor] of Object.entries(hosts)) {
		const folder = folderFor(manifest, options);
		await writeFolder(path.join(root, 'hosts', host), folder, parts);
		if (folder.warning) warnings.push(folder.warning);
	}
	return warnings;
}

/** Writes `dist/machines`: files for a machine of your own (systemd, nginx, compose, Prometheus), with this product's names and host in them. */
export async function writeMachineFiles({ name, identifier }: Service, origin: string, dist: URL): Promise<void> {
	const files = {
		[`${identifier}.service`]: 'systemd/unit.service',
		[`${identifier}.socket`]: 'systemd/unit.socket',
		'alerts.yml': 'prometheus/alerts.yml',
		'compose.yaml': 'container/compose.yaml',
		'one-machine.conf': 'nginx/one-machine.conf',
	};
	const folder = new URL('machines/', dist);
	await mkdir(folder, { recursive: true });
	for (const [file, template] of Object.entries(files)) {
		const text = await readFile(new URL(template, import.meta.url), 'utf8');
		await writeFile(
			new URL(file, folder),
			fillFacts(text, { name, identifier, origin, host: new URL(origin).host }, `src/hosts/${template}`),
		);
	}
}
