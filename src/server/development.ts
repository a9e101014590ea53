import type { APIContext } from 'astro';
import { contact } from '../lead/contact.ts';
import { deploy } from './deployment.ts';

let deployment: ReturnType<typeof deploy> | undefined;

/** The answer to a post in `astro dev`, where our production server does not stand in front. */
export function developmentAnswer({ request, clientAddress }: Pick<APIContext, 'request' | 'clientAddress'>) {
	deployment ??= deploy({ local: true });
	const { method, headers, body } = request;
	return contact({ method, headers, body, address: clientAddress }, deployment.contact);
}
