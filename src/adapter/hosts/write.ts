import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Manifest } from '../../server/manifest.ts';
import type { Programs } from '../bundle/programs.ts';
import { readService } from '../read-service.ts';
import { cloudflareFolder } from './cloudflare.ts';
import { writeFolder } from './folder.ts';
import { lambdaFolder } from './lambda.ts';
import { netlifyFolder } from './netlify.ts';
import { nginxSnippet } from './nginx.ts';
import { vercelFolder } from './vercel.ts';

export interface HostOptions {
	/** The folder of the build. */
	dist: URL;
	hyperdrive: string | undefined;
	programs: Programs;
}

/** Writes a complete folder for each host, and a snippet for nginx, which serves `dist/client`. */
export async function writeHostFolders(manifest: Manifest, { dist, hyperdrive, programs }: HostOptions): Promise<void> {
	const { identifier } = await readService();
	const folders = {
		cloudflare: cloudflareFolder(manifest, { identifier, hyperdrive }),
		lambda: lambdaFolder(manifest),
		netlify: netlifyFolder(manifest),
		vercel: vercelFolder(manifest),
	};
	const root = fileURLToPath(dist);
	const files = Object.values(manifest).map(({ file }) => file);
	const parts = { client: path.join(root, 'client'), server: path.join(root, 'server'), files, programs };
	for (const [host, folder] of Object.entries(folders)) await writeFolder(path.join(root, 'hosts', host), folder, parts);
	await writeFile(path.join(root, 'nginx.conf'), nginxSnippet(manifest));
}
