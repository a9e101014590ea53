import { describe, expect, test } from 'vitest';
import type { FieldError } from '../../src/api/field-error.ts';
import { API_ACCESS, paths } from '../../src/facts/links.ts';
import { copyIn, languages, links, service } from '../../src/facts/load.ts';
import { startStoring } from '../support/lead-places.ts';
import { lead, type LeadValues, postBody, postForm } from '../support/post-lead.ts';
import { unescaped } from '../support/html.ts';
import { shared } from '../support/shared.ts';

const { title, introduction } = copyIn('en').accessRequest;

const storing = shared(() => startStoring({ LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' }));
const url = () => storing().server.url;

const textAt = async (path: string) => (await fetch(url() + path)).text();

/** Returns whether each part of the page for a request is there. */
const isRequest = (html: string) =>
	[`>${title}</h1>`, introduction, 'name="source" value="api-access"'].map((part) => html.includes(part));

describe.skipIf(service.keys === 'none')('a request for API access', () => {
	test('has a page, which is not the contact page, is linked from it, and is that page to search engines', async () => {
		const contact = await textAt(`/contact?for=${API_ACCESS}`);
		expect(isRequest(contact)).toEqual([false, false, false]);
		expect(contact).toContain(`href="${paths.accessRequest}"`);
		expect(await textAt(paths.accessRequest)).toContain(`<link rel="canonical" href="${links.contact}">`);
		for (const path of [paths.sitemap, paths.llmsTxt]) expect(await textAt(path)).not.toContain(API_ACCESS);
	});

	const large = { source: API_ACCESS, message: 'x'.repeat(70_000) };
	test.each<[what: string, status: number, values: LeadValues, referer: string, isKept: boolean]>([
		['that is wrong', 422, { source: API_ACCESS }, '', true],
		['that is too large to be read', 413, large, paths.accessRequest, true],
		['of another page that is too large', 413, large, paths.contact, false],
		['of no page that is too large', 413, large, '', false],
	])('by a form %s is answered %i, and stays a request where it was one', async (_, status, values, from, isKept) => {
		const referer = from && url() + from;
		const response = await postForm(url(), values, { accept: 'text/html', referer });
		const html = await response.text();
		expect([response.status, ...isRequest(html)]).toEqual([status, isKept, isKept, isKept]);
		if (isKept) expect(html.match(/name="contact:write"( checked)?/)?.[1]).toBe(status === 413 ? ' checked' : undefined);
	});

	test.each(languages)('without its message is refused, by the names that its page has: %s', async (lang) => {
		const missingAll = { name: '', clinic: '', email: 'ana', consent: '', message: ' ' };
		const values = { source: API_ACCESS, lang, 'status:read': 'on', ...missingAll };
		const { errors, accessRequest } = copyIn(lang);
		const missing = (name: string) => errors.required.replace('{label}', accessRequest.fields[name]!.label!);
		const wanted = [missing('name'), missing('clinic'), errors['email_invalid'], missing('message'), errors['consent_required']];
		const html = await (await postForm(url(), values, { accept: 'text/html' })).text();
		expect([...html.matchAll(/<li> ?<a href="#[^"]*">([^<]*)<\/a>/g)].map(([, text]) => unescaped(text!))).toEqual(wanted);
		const answer = await postForm(url(), values, { accept: 'application/json' });
		expect(((await answer.json()) as { errors: FieldError[] }).errors.map(({ detail }) => detail)).toEqual(wanted);
		expect((await postBody(url(), { ...lead, source: API_ACCESS })).status).toBe(200);
	});
});
