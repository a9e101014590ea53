import type { APIRoute } from 'astro';
import { iconPng, icons } from '../site/images/icons.ts';

export const getStaticPaths = () => Object.keys(icons).map((icon) => ({ params: { icon } }));

export const GET: APIRoute = async ({ params }) =>
	new Response(await iconPng(params['icon']!), { headers: { 'content-type': 'image/png' } });
