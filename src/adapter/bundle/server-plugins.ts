import type { Plugin } from 'vite';
import { fileURLToPath } from 'node:url';

/** A plugin for what runs on the server, built: neither for the preview nor for pages that are made ahead. */
export const onServer = (plugin: Plugin): Plugin => ({
	apply: 'build',
	applyToEnvironment: ({ name }) => name === 'ssr',
	...plugin,
});

/** The file of `pg-cloudflare` that the package itself shows to bundlers for Cloudflare alone. Elsewhere `pg` never asks for it. */
const sockets = fileURLToPath(new URL('index.js', import.meta.resolve('pg-cloudflare')));

/** One bundle for all hosts, so the driver of PostgreSQL takes with it what it speaks through on Cloudflare Workers. */
export const cloudflareSockets = onServer({
	name: 'cloudflare-sockets',
	enforce: 'pre',
	resolveId: {
		filter: { id: /^(pg-cloudflare|cloudflare:sockets)$/ },
		handler: (id) => (id === 'pg-cloudflare' ? sockets : { id, external: true }),
	},
});

/** Images are made ahead, so what runs on the server needs neither Astro's address for them nor the library behind it. */
export const noImageTools = onServer({
	name: 'no-image-tools',
	load: {
		filter: { id: /\/astro\/dist\/assets\/(services\/sharp|endpoint\/(node|generic))\.js$/ },
		handler: (id) =>
			id.endsWith('sharp.js')
				? `export { default } from 'astro/assets/services/noop';`
				: `export const GET = () => new Response(null, { status: 404 });`,
	},
});
