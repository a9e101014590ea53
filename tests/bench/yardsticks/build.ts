import node from '@astrojs/node';
import { build as buildSite } from 'astro';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'vite';
import { contentFiles } from '../../../src/facts/content-plugin.ts';

/** The folder of the built yardsticks. */
export const YARDSTICKS = 'var/bench/yardsticks';
const ORIGIN = 'https://www.website.test';

/** Builds the yardsticks as we build the server, so that none loses time at its start by removing types. */
export async function buildYardsticks(): Promise<void> {
	await bundle({
		configFile: false,
		publicDir: false,
		logLevel: 'error',
		plugins: [contentFiles(ORIGIN)],
		define: { 'import.meta.env.SITE': JSON.stringify(ORIGIN) },
		build: {
			ssr: true,
			outDir: YARDSTICKS,
			rolldownOptions: {
				input: ['bare', 'fastify', 'fetch', 'hono'].map((name) => fileURLToPath(new URL(`${name}.ts`, import.meta.url))),
			},
		},
	});
}

/** Builds the same site with Astro's own server in the place of ours: @astrojs/node, standalone. */
export async function buildPlainAstro(): Promise<void> {
	const { default: config } = await import('../../../astro.config.mjs');
	await buildSite({
		...config,
		configFile: false,
		logLevel: 'error',
		site: ORIGIN,
		outDir: `${YARDSTICKS}/astro`,
		// With `file` it does not find a page that has a folder of the same name beside it.
		build: { ...config.build, format: 'directory' },
		adapter: node({ mode: 'standalone' }),
	});
}
