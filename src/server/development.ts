import type { APIContext } from 'astro';
import { clientRequest } from '../http/request.ts';
import { answerTo } from '../operations/operations.ts';
import { type Backend, openBackend } from './backend.ts';

let backend: Promise<Backend> | undefined;

/** Answers for an operation in `astro dev`, where our production server does not run. */
export async function developmentAnswer({ request, url, clientAddress }: Pick<APIContext, 'request' | 'url' | 'clientAddress'>) {
	backend ??= openBackend({ local: true });
	// A mistake in the settings may be mended while the server runs.
	backend.catch(() => (backend = undefined));
	return answerTo(url.pathname, clientRequest(request, clientAddress), await backend);
}
