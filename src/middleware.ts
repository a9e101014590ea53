import { defineMiddleware } from 'astro:middleware';
import { toResponse } from './api/answer.ts';
import { languageAt } from './facts/load.ts';

/**
 * Tells each page its language, and a page that is made for its reader how to answer. The production server has decided that before it
 * asks for the page.
 */
export const onRequest = defineMiddleware(async (context, next) => {
	const { locals, url, isPrerendered } = context;
	locals.language = languageAt(url.pathname);
	// In development Astro makes the images of pages itself.
	if (isPrerendered || (import.meta.env.DEV && url.pathname === '/_image')) return next();
	const answer = locals.answer ?? (await (await import('./server/handler.ts')).developmentAnswer(context));
	if (!('page' in answer)) return toResponse(answer);
	Object.assign(locals, { answer, language: answer.page.language });
	// Astro sends `OK` with every status. Without a text, HTTP/1.1 sends the one of the status.
	return new Response((await next()).body, { status: answer.status, headers: answer.headers });
});
