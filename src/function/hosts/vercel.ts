import { answerFrom } from '../answer.ts';

/** What Vercel keeps for the request that is being answered, as its own package `@vercel/functions` finds it. */
interface RequestContext {
	waitUntil?(work: Promise<unknown>): void;
}

const requestContext = Symbol.for('@vercel/request-context');

export default {
	/** Answers `/api/*`, and other methods than GET and HEAD on pages. */
	fetch(request: Request): Promise<Response> {
		const store = (globalThis as { [requestContext]?: { get?(): RequestContext | undefined } })[requestContext];
		const context = store?.get?.();
		return answerFrom(request, {
			// Vercel writes it, whatever the client has sent.
			caller: request.headers.get('x-real-ip'),
			waitUntil: context?.waitUntil?.bind(context),
		});
	},
};
