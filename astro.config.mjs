import mdx from '@astrojs/mdx';
import { defineConfig } from 'astro/config';
import { nodeServer } from './src/adapter/adapter.ts';
import { contentCheck } from './src/content-check/integration.ts';
import { versionOf } from './src/adapter/version.ts';
import { buildSettings } from './src/server/settings/build-settings.ts';
import { contentFiles } from './src/facts/content-plugin.ts';

/** Build only: in development it would break CommonJS packages. */
const selfContained = { name: 'self-contained', apply: 'build', config: () => ({ ssr: { noExternal: true } }) };

/** Styles are named for the page that brings them; of `[...id].astro`, the documentation, only dots would be left. */
const assetFileNames = ({ names: [name = ''] }) => {
	const page = name.startsWith('_.') ? 'docs' : name.replace(/@.*|\.[^.]*$/, '');
	return `_astro/${page}.[hash][extname]`;
};

const { siteUrl, buildId, hyperdrive } = buildSettings();

export default defineConfig({
	site: siteUrl,
	output: 'static',
	trailingSlash: 'never',
	prerenderConflictBehavior: 'error',
	adapter: nodeServer({ hyperdrive }),
	integrations: [mdx(), contentCheck()],
	session: false,
	// It tells developers of Astro's components what no editor asks.
	devToolbar: { enabled: false },
	// Its check compares schemes, and so refuses our own form behind a TLS proxy. src/lead/intake/read-submission.ts has ours.
	security: { checkOrigin: false },
	build: {
		format: 'file',
		inlineStylesheets: 'never',
		// So many images for shared links are drawn at once, on other cores than the one that renders pages.
		concurrency: 4,
	},
	markdown: { syntaxHighlight: 'prism' },
	vite: {
		define: {
			'import.meta.env.VERSION': JSON.stringify(versionOf(import.meta.dirname, buildId)),
			'import.meta.env.BUILT_ON': JSON.stringify(new Date().toISOString().slice(0, 10)),
		},
		build: {
			assetsInlineLimit: 0,
			// In kB. The interactive API reference is large, and only its own page loads it.
			chunkSizeWarningLimit: 2500,
			rolldownOptions: {
				output: { assetFileNames },
				// Every MDX collection causes one; it asks nothing of us.
				onLog: (level, log, next) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && next(level, log),
			},
		},
		// What the interactive reference loads takes longest to make ready: its page waits for that, and no other.
		optimizeDeps: { entries: ['!src/site/reference/Explorer.astro'] },
		// Its answers to other origins are not ours: what they may do is in src/operations/answer.ts.
		server: { cors: false },
		plugins: [contentFiles(siteUrl), selfContained],
	},
});
