import { randomUUID } from 'node:crypto';
import { exampleLead } from '../../src/lead/lead.ts';

export type LeadValues = Record<string, string | number>;

export const lead = exampleLead(({ required }) => required) as Record<'name' | 'clinic' | 'email' | 'consent', string> &
	LeadValues;

/** The smallest valid lead, with the honeypot filled. */
export const hit = { ...lead, website: 'https://clinicasol.example' };

/** Fields with two strong signals of spam: a link for a name, and random letters in two fields. */
export const spam = { name: 'https://win.example/now XkQzBvTrPlWs', clinic: 'hGtRnMwQpLzXc' };

/** Returns the smallest valid lead with `fields` replaced or added. */
export const leadOf = <Fields extends LeadValues>(fields?: Fields) => ({ ...lead, ...fields });

/** Returns another lead each time: the same lead, sent again, would count once. */
export const newLead = () => ({ ...lead, message: randomUUID() });

export const formOf = (values: LeadValues) =>
	new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]));

/** A request with JSON, given as a value or as its text. */
export const json = (body: object | string, headers = {}): RequestInit => ({
	method: 'POST',
	body: typeof body === 'string' ? body : JSON.stringify(body),
	headers: { 'content-type': 'application/json', ...headers },
});

/** A request as the page's form makes it without JavaScript. */
export const form = (values: LeadValues, headers = {}): RequestInit => ({ method: 'POST', body: formOf(values), headers });

/** Returns an answer's body with the same reference as any other. */
export const withoutReference = (body: string) => body.replace(/(?<="reference":")[\dA-Z]{4}-[\dA-Z]{4}(?=")/, '');

export const postLead = (url: string, fields: LeadValues = {}, headers: Record<string, string> = {}) =>
	postBody(url, leadOf(fields), headers);

/** Sends a body to a server's `POST /api/contact`. */
export const postBody = (url: string, body: object, headers: Record<string, string> = {}) =>
	fetch(`${url}/api/contact`, json(JSON.stringify(body), headers));

/** Sends such a form to a server's `POST /api/contact`, and follows no redirect. */
export const postForm = (url: string, values: LeadValues, headers: Record<string, string> = {}) =>
	fetch(`${url}/api/contact`, { ...form(values, headers), redirect: 'manual' });
