import node from '@astrojs/node';
import type { AstroConfig, AstroIntegration } from 'astro';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pageLinks } from '../discovery/link-header.ts';
import { readService } from '../facts/files.ts';
import { endAtMistakes } from '../facts/mistake.ts';
import { tooLargeForLambda, writeHostFolders, writeMachineFiles } from '../hosts/hosts.ts';
import { inputsWith, RECORD } from '../scripts/build.mjs';
import { OLDEST_NODE } from '../scripts/node-version.mjs';
import { buildSchema } from '../server/settings/environment.ts';
import { buildPrograms, cloudflareSockets, noImageTools, removeFolders } from './bundle.ts';
import { packFiles } from './file-pack.ts';
import { writeMarkdown } from './markdown/page.ts';

/**
 * The adapter: @astrojs/node with our own entry in front of it, for the oldest Node.js that we promise.
 * After the build it writes the pages in Markdown too, and compresses the prebuilt files and packs them for the server. It writes a
 * folder for each other host, with all headers in the host's own form, and the files for machines. Last it records what it built from.
 */
export function nodeServer({ hyperdrive }: { hyperdrive: string | undefined }): AstroIntegration {
	const base = node({ mode: 'middleware', staticHeaders: true });
	const serverEntrypoint = fileURLToPath(new URL('../hosts/node/entry.ts', import.meta.url));
	const declared = new Map<string, Headers>();
	const programs = buildPrograms();
	let config: AstroConfig;
	let inputs: string;

	return {
		...base,
		name: 'node-server',
		hooks: {
			...base.hooks,
			'astro:config:setup': async (options) => {
				await base.hooks['astro:config:setup']?.(options);
				const build = { target: `node${OLDEST_NODE}` };
				const plugins = [programs.plugin, noImageTools, cloudflareSockets];
				options.updateConfig({ vite: { plugins, build } });
			},
			'astro:config:done': (options) => {
				({ config } = options);
				const setAdapter: typeof options.setAdapter = (adapter) => options.setAdapter({ ...adapter, serverEntrypoint });
				return base.hooks['astro:config:done']?.({ ...options, setAdapter });
			},
			'astro:build:start': () => {
				rmSync(new URL(RECORD, config.outDir), { force: true });
				inputs = inputsWith(Object.keys(buildSchema.shape));
			},
			'astro:build:generated': ({ routeToHeaders }) => {
				for (const [address, { headers, route }] of routeToHeaders) {
					const all = new Headers(headers);
					if (route.type === 'page') all.append('link', pageLinks);
					declared.set(address, all);
				}
			},
			'astro:build:done': ({ logger }) =>
				endAtMistakes(async () => {
					const { outDir: dist, publicDir, site: origin = '' } = config;
					const { client, server } = config.build;
					writeMarkdown(client, declared);
					removeFolders(server);
					const manifest = await packFiles({ publicDir, client, server, origin, declared, logger });
					const service = readService(fileURLToPath(config.root));
					await writeHostFolders(manifest, { dist, identifier: service.identifier, hyperdrive, programs });
					const warning = tooLargeForLambda(manifest);
					if (warning) logger.warn(warning);
					await writeMachineFiles(service, origin, dist);
					writeFileSync(new URL(RECORD, dist), inputs);
				}),
		},
	};
}
