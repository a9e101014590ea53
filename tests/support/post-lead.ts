import { exampleLead } from '../../src/lead/lead.ts';

/** A lead that passes, and no more than that. */
export const lead = exampleLead(({ required }) => required) as Record<'name' | 'clinic' | 'email' | 'consent', string>;

/** The same with `fields` on top. */
export const leadOf = (fields: Record<string, string> = {}) => ({ ...lead, ...fields });

/** Sends such a lead as a program does. */
export const postLead = (url: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
	postBody(url, leadOf(fields), headers);

/** Sends a body to a server's `POST /api/contact`. */
export const postBody = (url: string, body: object, headers: Record<string, string> = {}) =>
	fetch(`${url}/api/contact`, {
		method: 'POST',
		body: JSON.stringify(body),
		headers: { 'content-type': 'application/json', ...headers },
	});
