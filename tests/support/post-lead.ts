import { exampleLead } from '../../src/lead/lead.ts';

export type LeadValues = Record<string, string | number>;

/** A lead that passes, and no more than that. */
export const lead = exampleLead(({ required }) => required) as Record<'name' | 'clinic' | 'email' | 'consent', string> &
	LeadValues;

/** The same with `fields` on top. */
export const leadOf = <Fields extends LeadValues>(fields?: Fields) => ({ ...lead, ...fields });

/** What a form sends: text. */
export const formOf = (values: LeadValues) =>
	new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]));

/** Sends such a lead as a program does. */
export const postLead = (url: string, fields: LeadValues = {}, headers: Record<string, string> = {}) =>
	postBody(url, leadOf(fields), headers);

/** Sends a body to a server's `POST /api/contact`. */
export const postBody = (url: string, body: object, headers: Record<string, string> = {}) =>
	fetch(`${url}/api/contact`, {
		method: 'POST',
		body: JSON.stringify(body),
		headers: { 'content-type': 'application/json', ...headers },
	});
