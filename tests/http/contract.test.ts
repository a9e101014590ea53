import { describe, expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { startStoring } from '../support/lead-places.ts';
import { lead, newLead, postBody, postForm } from '../support/post-lead.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

const storing = shared(() => startStoring({ LEAD_RATE_LIMIT: 'off' }));
const url = () => storing().server.url;

describe('POST /api/contact', () => {
	test.each([undefined, null, ''])('takes a lead and delivers it, from any page, where website is %j', async (website) => {
		const lead = newLead();
		const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' };
		const response = await postBody(url(), { ...lead, website }, foreign);
		expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
		expect([response.headers.get('cache-control'), response.headers.get('www-authenticate')]).toEqual(['no-store', null]);
		expect(await response.text()).toMatch(/^{"ok":true,"reference":"[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}"}$/);
		await expect.poll(() => storing().receiver.requests.some(({ body }) => body.includes(lead.message))).toBe(true);
	});

	test('names every field at fault with 422', async () => {
		const wrong = { ...lead, name: null, email: 'ana', phone: 5 };
		const { errors } = await expectProblem(await postBody(url(), wrong), 422, 'invalid-lead');
		expect(errors).toEqual([
			{ pointer: '#/name', code: 'name_required', detail: '`name` is required, and must not be empty.' },
			{ pointer: '#/email', code: 'email_invalid', detail: expect.stringMatching(/`email`.*`ana@clinic\.example`/) as string },
			{ pointer: '#/phone', code: 'phone_invalid', detail: '`phone` must be a string.' },
		]);
	});

	test.each([[], null, 'on', 7, [{ website: 'x' }]])('wants one object in place of other JSON: %j', async (body) => {
		const { errors } = await expectProblem(await postBody(url(), body as object), 422, 'invalid-lead');
		expect(errors).toEqual([{ pointer: '#', code: 'body_not_object', detail: expect.any(String) as string }]);
	});
});

describe('the form without JavaScript', () => {
	test('comes back with what was typed and links to the fields at fault', async () => {
		const response = await postForm(url(), { ...lead, email: 'ana"><b>', message: '</textarea><b>$&' });
		expect([response.status, response.headers.get('cache-control')]).toEqual([422, 'private, no-cache']);
		const html = await response.text();
		expect(html).toContain('value="Ana Ruiz"');
		expect(html).toMatch(/value="ana&(quot|#34);/);
		expect(html).toContain('>&lt;/textarea&gt;&lt;b&gt;$&amp;</textarea>');
		expect(html).toContain('href="#email"');
	});

	test.each<[status: number, headers: Record<string, string>]>([
		[403, { 'sec-fetch-site': 'same-site' }],
		[403, { origin: 'https://evil.example' }],
		[403, { origin: 'null' }],
		[303, { 'sec-fetch-site': 'same-origin' }],
		[303, { 'sec-fetch-site': 'none' }],
		[303, { origin: 'http://OURS' }],
		[303, { origin: 'https://OURS' }],
		[303, {}],
	])('is answered %i to a browser that says of the page: %o', async (status, headers) => {
		const { host } = new URL(url());
		const said = Object.entries(headers).map(([name, value]) => [name, value.replace('OURS', host)]);
		const response = await postForm(url(), lead, Object.fromEntries(said) as Record<string, string>);
		expect(response.status).toBe(status);
		if (status === 403) await expectProblem(response, 403, 'foreign-form');
	});
});

test('GET /api/status answers with exactly four members', async () => {
	const response = await fetch(`${url()}/api/status`);
	const { time, ...others } = (await response.json()) as Record<string, unknown>;
	const version = expect.stringMatching(/^\d+\.\d+\.\d+\+[\da-f]{7}$/) as string;
	expect(others).toEqual({ ok: true, service: service.identifier, version });
	expect(new Date(time as string).toISOString()).toBe(time);
	expect(response.headers.get('cache-control')).toBe('no-store');
});
