import node from '@astrojs/node';
import type { AstroIntegration, ViteUserConfig } from 'astro';
import { fileURLToPath } from 'node:url';
import { pageLinks } from '../discovery/link-header.ts';
import { packFiles } from './file-pack.ts';
import { writeHostFiles } from './hosts/write.ts';
import { writeMachineFiles } from './machines.ts';
import { writeMarkdown } from './markdown/write.ts';
import { checkPaths } from './paths.ts';
import { OLDEST_NODE } from '../programs/node-version.ts';

/** What can be run from `dist/server` beside the server itself, by file name. */
const programs = {
	'doctor.mjs': '../programs/doctor.ts',
	'function.mjs': '../programs/function.ts',
	'keys.mjs': '../programs/keys.ts',
	'leads.mjs': '../programs/leads.ts',
};

/**
 * The adapter: @astrojs/node with our own entry in front of it, for the oldest Node.js that we promise.
 * After the build it writes the pages in Markdown too, compresses the prebuilt files and packs them for the server, and writes down
 * the headers of each for other hosts in their own forms, and what machines need that run it.
 */
export function nodeServer(): AstroIntegration {
	const base = node({ mode: 'middleware', staticHeaders: true });
	const serverEntrypoint = fileURLToPath(new URL('../programs/entry.ts', import.meta.url));
	const declared = new Map<string, Headers>();
	let folders: { client: URL; server: URL };
	let origin: string;

	return {
		...base,
		name: 'node-server',
		hooks: {
			...base.hooks,
			'astro:config:setup': async (options) => {
				await base.hooks['astro:config:setup']?.(options);
				const build = { target: `node${OLDEST_NODE}` };
				options.updateConfig({ vite: { plugins: [emitPrograms], build } });
			},
			'astro:config:done': (options) => {
				folders = options.config.build;
				origin = options.config.site ?? '';
				return base.hooks['astro:config:done']?.({
					...options,
					setAdapter: (adapter) => options.setAdapter({ ...adapter, serverEntrypoint }),
				});
			},
			'astro:build:generated': ({ routeToHeaders }) => {
				for (const [path, { headers, route }] of routeToHeaders) {
					const all = new Headers(headers);
					if (route.type === 'page') all.append('link', pageLinks);
					declared.set(path, all);
				}
			},
			'astro:build:done': async () => {
				await writeMarkdown({ ...folders, declared });
				const manifest = await packFiles({ ...folders, origin, declared });
				checkPaths(manifest);
				const dist = new URL('../', folders.server);
				await writeHostFiles(manifest, dist);
				await writeMachineFiles(origin, dist);
			},
		},
	};
}

/** Builds each program into a file of its own, beside the server. */
const emitPrograms: NonNullable<ViteUserConfig['plugins']>[number] = {
	name: 'emit-programs',
	apply: 'build',
	applyToEnvironment: ({ name }) => name === 'ssr',
	buildStart() {
		for (const [fileName, source] of Object.entries(programs))
			this.emitFile({ type: 'chunk', id: fileURLToPath(new URL(source, import.meta.url)), fileName });
	},
};
