import { onServer } from './plugin.ts';

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
