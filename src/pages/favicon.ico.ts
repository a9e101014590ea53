import type { APIRoute } from 'astro';
import { favicon } from '../site/images/icons.ts';

export const GET: APIRoute = async () => new Response(await favicon(), { headers: { 'content-type': 'image/x-icon' } });
