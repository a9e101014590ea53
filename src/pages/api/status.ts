import type { APIRoute } from 'astro';
import { methodNotAllowed } from '../../http/problem.ts';
import { toResponse } from '../../http/answer.ts';
import { status } from '../../status/status.ts';

export const prerender = false;
export const GET: APIRoute = () => toResponse(status());
export const HEAD = GET;
export const ALL: APIRoute = () => toResponse(methodNotAllowed('GET, HEAD'));
