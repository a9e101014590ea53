import type { APIContext } from 'astro';
import { webRequest } from '../api/request.ts';
import { type Backend, openBackend } from './backend.ts';
import { answerApi } from './handler.ts';

let backend: Promise<Backend> | undefined;

/** Answers for an operation in `astro dev`, where Astro itself stands in front and renders the page. */
export async function developmentAnswer({ request, url, clientAddress }: Pick<APIContext, 'request' | 'url' | 'clientAddress'>) {
	backend ??= openBackend({ local: true });
	// A mistake in the settings may be mended while the server runs.
	backend.catch(() => (backend = undefined));
	const deps = await backend;
	return answerApi(url.pathname, webRequest(request, clientAddress), { settings: deps.settings, log: deps.log, deps });
}
