import type { APIRoute } from 'astro';
import { toResponse } from '../../http/answer.ts';
import { problem } from '../../http/problem.ts';

export const prerender = false;
export const ALL: APIRoute = () => toResponse(problem('not-found'));
