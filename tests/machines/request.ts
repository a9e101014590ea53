import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Certificate } from '../support/certificate.ts';
import { formOf, lead, type LeadValues } from '../support/post-lead.ts';

export interface RawAnswer {
	status: number;
	headers: Record<string, string>;
	body: string;
}

interface RawRequest {
	method?: string;
	headers?: Record<string, string>;
	body?: string;
	/** The certificate to trust over https. */
	certificate?: Certificate;
}

/** Sends a request with exactly these headers, which `fetch` would change. */
export async function ask(url: string, { method = 'GET', headers = {}, body, certificate }: RawRequest = {}): Promise<RawAnswer> {
	const options = { method, headers, ...(certificate && { ca: certificate.cert }) };
	const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, options).end(body);
	const [response] = (await once(request, 'response')) as [IncomingMessage];
	return { status: response.statusCode!, headers: response.headers as Record<string, string>, body: await text(response) };
}

/** Returns the form post of a browser without JavaScript from a page of this origin. */
export const formPost = (origin: string, values: LeadValues = lead): RawRequest => ({
	method: 'POST',
	body: String(formOf(values)),
	headers: { origin, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
});
