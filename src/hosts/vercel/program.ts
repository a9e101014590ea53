import { requireNode } from '../../scripts/node-version.mjs';

requireNode();
const { fetchFrom } = await import('../../server/function.ts');

/** Vercel's data on the current request, found as in its own package `@vercel/functions`. */
type RequestContext = { waitUntil?(work: Promise<unknown>): void };

const requestContext = Symbol.for('@vercel/request-context');

export default {
	/** Answers `/api/*` and `/lead/*`, and other methods than GET and HEAD on pages. */
	fetch(request: Request): Promise<Response> {
		const store = (globalThis as { [requestContext]?: { get?(): RequestContext | undefined } })[requestContext];
		const context = store?.get?.();
		// Vercel sets this header in place of any value from the client.
		return fetchFrom(request, { caller: request.headers.get('x-real-ip'), waitUntil: context?.waitUntil?.bind(context) });
	},
};
