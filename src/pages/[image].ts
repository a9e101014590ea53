import type { APIRoute } from 'astro';
import { images } from '../site/images.ts';

export const getStaticPaths = () =>
	Object.entries(images).map(([path, image]) => ({ params: { image: path.slice(1) }, props: image }));

export const GET: APIRoute<(typeof images)[string]> = async ({ props: { type, draw } }) =>
	// Other sites may show our images: the one of shared links is made for that.
	new Response(Buffer.from(await draw()), { headers: { 'content-type': type, 'cross-origin-resource-policy': 'cross-origin' } });
