import type { Plugin } from 'vite';
import { fileURLToPath } from 'node:url';

/** Limits a plugin to the built server: it runs neither in the preview nor for prerendered pages. */
export const onServer = (plugin: Plugin): Plugin => ({
	apply: 'build',
	applyToEnvironment: ({ name }) => name === 'ssr',
	...plugin,
});

/** The file of `pg-cloudflare` that the package shows to bundlers for Cloudflare only. Elsewhere `pg` never asks for it. */
const sockets = fileURLToPath(new URL('index.js', import.meta.resolve('pg-cloudflare')));

/** One bundle serves all hosts, so the driver of PostgreSQL brings the sockets of Cloudflare Workers along. */
export const cloudflareSockets = onServer({
	name: 'cloudflare-sockets',
	enforce: 'pre',
	resolveId: {
		filter: { id: /^(pg-cloudflare|cloudflare:sockets)$/ },
		handler: (id) => (id === 'pg-cloudflare' ? sockets : { id, external: true }),
	},
});

/** Removes Astro's address for images and its library from the server: the build makes all images. */
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
