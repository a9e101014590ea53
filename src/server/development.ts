import type { APIContext } from 'astro';
import { readBody } from '../http/body.ts';
import { contact } from '../lead/intake/contact.ts';
import { type Deployment, deploy } from './deployment.ts';

let deployment: Promise<Deployment> | undefined;

/** The answer to a post in `astro dev`, where our production server does not stand in front. */
export async function developmentAnswer({ request, clientAddress }: Pick<APIContext, 'request' | 'clientAddress'>) {
	deployment ??= deploy({ local: true });
	const { method, headers, body } = request;
	const read = (limit: number) => readBody(body, limit);
	return contact({ method, headers, read, address: clientAddress }, (await deployment).contact);
}
