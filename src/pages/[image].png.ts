import type { APIRoute } from 'astro';
import { imagePaths, imagePng } from '../site/images.ts';

export const getStaticPaths = () =>
	imagePaths.map((path) => ({ params: { image: path.slice(1, -'.png'.length) }, props: { path } }));

/** Other sites may show the one of shared links: that is its purpose. */
const headers = { 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' };

export const GET: APIRoute<{ path: string }> = async ({ props }) => new Response(await imagePng(props.path), { headers });
