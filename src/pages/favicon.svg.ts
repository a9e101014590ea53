import type { APIRoute } from 'astro';
import { icon } from '../site/brand.ts';

export const GET: APIRoute = () => new Response(icon, { headers: { 'content-type': 'image/svg+xml' } });
