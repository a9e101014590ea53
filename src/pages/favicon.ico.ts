import type { APIRoute } from 'astro';
import { favicon } from '../site/images.ts';

export const GET: APIRoute = async () => new Response(await favicon(), { headers: { 'content-type': 'image/x-icon' } });
