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
	/** Whom to trust over https. */
	certificate?: Certificate;
}

/** Asks with every header as it is given, which `fetch` would not do. */
export async function ask(url: string, { method = 'GET', headers = {}, body, certificate }: RawRequest = {}): Promise<RawAnswer> {
	const options = { method, headers, ...(certificate && { ca: certificate.cert }) };
	const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, options).end(body);
	const [response] = (await once(request, 'response')) as [IncomingMessage];
	return { status: response.statusCode!, headers: response.headers as Record<string, string>, body: await text(response) };
}

/** What a browser without JavaScript sends from a page of this origin. */
export const formPost = (origin: string, values: LeadValues = lead): RawRequest => ({
	method: 'POST',
	body: String(formOf(values)),
	headers: { origin, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
});
