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
				input: ['bare', 'fastify'].map((name) => fileURLToPath(new URL(`${name}.ts`, import.meta.url))),
			},
		},
	});
}
