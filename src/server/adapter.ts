import node from '@astrojs/node';
import type { AstroIntegration } from 'astro';
import { fileURLToPath } from 'node:url';
import { writeManifest } from './manifest.ts';

/**
 * The adapter: @astrojs/node with our own entry in front of it.
 * After the build it compresses the prebuilt files and writes down the headers of each (`dist/server/files.json`).
 */
export function nodeServer(): AstroIntegration {
	const base = node({ mode: 'middleware', staticHeaders: true, bodySizeLimit: 131_072 });
	const serverEntrypoint = fileURLToPath(new URL('./entry.ts', import.meta.url));
	const declared = new Map<string, Headers>();
	let folders: { client: URL; server: URL };
	let origin: string;

	return {
		...base,
		name: 'node-server',
		hooks: {
			...base.hooks,
			'astro:config:done': (options) => {
				folders = options.config.build;
				origin = options.config.site ?? '';
				return base.hooks['astro:config:done']?.({
					...options,
					setAdapter: (adapter) => options.setAdapter({ ...adapter, serverEntrypoint }),
				});
			},
			'astro:build:generated': ({ routeToHeaders }) => {
				for (const [path, { headers }] of routeToHeaders) declared.set(path, headers);
			},
			'astro:build:done': () => writeManifest({ ...folders, origin, declared }),
		},
	};
}
