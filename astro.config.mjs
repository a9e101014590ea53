import mdx from '@astrojs/mdx';
import { defineConfig } from 'astro/config';
import { nodeServer } from './src/adapter/adapter.ts';
import { contentCheck } from './src/content-check/integration.ts';
import { versionOf } from './src/scripts/build.mjs';
import { buildSettings } from './src/server/settings/environment.ts';
import { leadFields } from './src/lead/lead.ts';
import { contentFiles } from './src/facts/content-plugin.ts';

/** For builds only: in development it breaks CommonJS packages. */
const selfContained = { name: 'self-contained', apply: 'build', config: () => ({ ssr: { noExternal: true } }) };

/**
 * Text is published with the same line ends on every system, and without byte order marks, from `.mdx` and from what is imported as
 * a string.
 */
const plainText = {
	name: 'plain-text',
	enforce: 'pre',
	transform: {
		filter: { id: [/\.mdx/, /\?raw$/] },
		handler(code, id) {
			const unmarked = code.replaceAll('\uFEFF', '');
			return id.endsWith('?raw') ? unmarked.replaceAll(String.raw`\r\n`, String.raw`\n`) : unmarked.replaceAll('\r\n', '\n');
		},
	},
};

const correctedSelectors = leadFields
	.filter(({ kind }) => kind !== 'hidden' && kind !== 'honeypot')
	.map(({ name }) => `&:has(#${name}:user-valid) li:has([href='#${name}']),`);
/** Gives the error of each field a selector: without scripts, only CSS that names the field finds which one is corrected. */
const correctedErrors = {
	name: 'corrected-errors',
	transform: {
		filter: { id: /\/corrected\.css/ },
		handler: (code) => code.replace('/* fields */', correctedSelectors.join('\n')),
	},
};

/** Names styles for their page. `[...id].astro`, the documentation, would keep only dots of its name. */
const assetFileNames = ({ names: [name = ''] }) => {
	const page = name.startsWith('_.') ? 'docs' : name.replace(/@.*|\.[^.]*$/, '');
	return `_astro/${page}.[hash][extname]`;
};

const { SITE_URL, BUILD_ID, HYPERDRIVE_ID } = buildSettings();

export default defineConfig({
	site: SITE_URL,
	output: 'static',
	trailingSlash: 'never',
	prerenderConflictBehavior: 'error',
	adapter: nodeServer({ hyperdrive: HYPERDRIVE_ID }),
	integrations: [mdx(), contentCheck()],
	session: false,
	// The toolbar is for developers of Astro components; editors do not need it.
	devToolbar: { enabled: false },
	// Astro's check compares schemes, and so refuses our own form behind a TLS proxy. src/api/read.ts has ours.
	security: { checkOrigin: false },
	build: {
		format: 'file',
		inlineStylesheets: 'never',
	},
	markdown: { syntaxHighlight: 'prism' },
	vite: {
		define: {
			'import.meta.env.VERSION': JSON.stringify(versionOf(import.meta.dirname, BUILD_ID)),
			'import.meta.env.BUILT_ON': JSON.stringify(new Date().toISOString().slice(0, 10)),
		},
		// A script's own name would be a sixth of its request.
		environments: { client: { build: { rolldownOptions: { output: { entryFileNames: '_astro/[hash].js' } } } } },
		build: {
			assetsInlineLimit: 0,
			// In kB. The interactive API reference is large, and only its own page loads it.
			chunkSizeWarningLimit: 2500,
			rolldownOptions: {
				output: { assetFileNames },
				// Every MDX collection causes this warning, which needs no action.
				onLog: (level, log, next) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && next(level, log),
			},
		},
		// The packages of the interactive reference take longest to prepare: only its own page waits for them.
		optimizeDeps: { entries: ['!src/site/reference/Explorer.astro'] },
		// src/api/answer.ts sets our own rules for other origins, which Vite's would replace.
		server: { cors: false },
		plugins: [contentFiles(SITE_URL), plainText, correctedErrors, selfContained],
	},
});
