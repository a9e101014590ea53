import type { APIRoute } from 'astro';
import { images } from '../site/images.ts';

export const getStaticPaths = () =>
	Object.entries(images).map(([path, image]) => ({ params: { image: path.slice(1) }, props: image }));

export const GET: APIRoute<(typeof images)[string]> = async ({ props: { type, draw } }) =>
	new Response(Buffer.from(await draw()), {
		// Other sites may show our images: the one of shared links is made for that.
		headers: { 'content-type': type, 'cross-origin-resource-policy': 'cross-origin' },
	});
