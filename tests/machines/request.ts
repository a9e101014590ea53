import type { Certificate } from '../support/certificate.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { formOf, lead, type LeadValues } from '../support/post-lead.ts';

interface RawRequest {
	method?: string;
	headers?: Record<string, string>;
	body?: string;
	/** The certificate to trust over https. */
	certificate?: Certificate;
}

/** Sends a request with exactly these headers, which `fetch` would change. */
export async function ask(url: string, { method = 'GET', headers = {}, body, certificate }: RawRequest = {}) {
	const answer = await fetchRaw(url, { method, headers, body, ca: certificate?.cert });
	return { ...answer, body: String(answer.body) };
}

/** Returns the form post of a browser without JavaScript from a page of this origin. */
export const formPost = (origin: string, values: LeadValues = lead): RawRequest => ({
	method: 'POST',
	body: String(formOf(values)),
	headers: { origin, 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
});
