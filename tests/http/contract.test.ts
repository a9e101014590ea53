import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { formOf, lead, type LeadValues, postBody } from '../support/post-lead.ts';
import { expectProblem } from '../support/problem.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** Returns another lead each time: the same lead, sent again, would count once. */
const newLead = () => ({ ...lead, message: randomUUID() });

const receiver = shared(() => startWebhookReceiver());
const server = shared(() => startServer({ LEAD_WEBHOOK_URL: receiver().url, LEAD_RATE_LIMIT: 'off' }));

const request = (path: string, init?: RequestInit) => fetch(server().url + path, { redirect: 'manual', ...init });
const post = (body: object) => postBody(server().url, body);
const postForm = (fields: LeadValues, headers: Record<string, string> = {}) =>
	request('/api/contact', { method: 'POST', body: formOf(fields), headers });

const delivered = () =>
	receiver()
		.requests.map((request) => request.body)
		.join();

describe('POST /api/contact', () => {
	test('takes a lead and delivers it, and a page of another site may send it', async () => {
		const lead = newLead();
		const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' };
		const response = await postBody(server().url, lead, foreign);
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toBe('application/json');
		expect(response.headers.get('cache-control')).toBe('no-store');
		expect(response.headers.get('www-authenticate')).toBeNull();
		expect(await response.json()).toEqual({ ok: true });
		await expect.poll(delivered).toContain(lead.message);
	});

	test.each([
		{ ...lead, name: 'Robot', website: 'https://spam.example' },
		{ name: 'Robot', website: ' ' },
		{ message: 'Robot', website: 'x', name: 7, phone: null },
	])('answers a filled honeypot as a real lead and delivers nothing: %o', async (body) => {
		const lead = newLead();
		const [hit, real] = [await post(body), await post(lead)];
		expect(hit.status).toBe(200);
		expect(await hit.text()).toBe(await real.text());
		expect([...hit.headers.keys()]).toEqual([...real.headers.keys()]);
		await expect.poll(delivered).toContain(lead.message);
		expect(delivered()).not.toContain('Robot');
	});

	test.each(['', null])('takes a honeypot of %j as absent', async (website) => {
		const lead = newLead();
		expect((await post({ ...lead, website })).status).toBe(200);
		await expect.poll(delivered).toContain(lead.message);
	});

	test('names every field at fault with 422', async () => {
		const problem = await expectProblem(await post({ ...lead, name: '', email: 'ana', phone: 5 }), 422, 'invalid-lead');
		expect(problem['errors']).toEqual([
			{ pointer: '#/name', code: 'name_required', detail: '`name` is required, and must not be empty.' },
			{ pointer: '#/email', code: 'email_invalid', detail: expect.stringMatching(/`email`.*`ana@clinic\.example`/) as string },
			{ pointer: '#/phone', code: 'phone_invalid', detail: '`phone` must be a string.' },
		]);
	});

	test.each(['[]', 'null', '"on"', '7', '[{"website":"x"}]'])('wants one object in place of other JSON: %s', async (body) => {
		const { errors } = await expectProblem(await post(JSON.parse(body) as object), 422, 'invalid-lead');
		const detail = expect.stringContaining('one JSON object') as string;
		expect(errors).toEqual([{ pointer: '#', code: 'body_not_object', detail }]);
	});
});

describe('the form without JavaScript', () => {
	test('comes back with what was typed and links to the fields at fault', async () => {
		const response = await postForm({ ...lead, email: 'ana"><b>', message: '</textarea><b>$&' });
		expect(response.status).toBe(422);
		expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
		expect(response.headers.get('cache-control')).toBe('private, no-cache');
		const html = await response.text();
		expect(html).toContain('value="Ana Ruiz"');
		expect(html).toMatch(/value="ana&(quot|#34);/);
		expect(html).toContain('>&lt;/textarea&gt;&lt;b&gt;$&amp;</textarea>');
		expect(html).toContain('href="#email"');
	});

	test('is answered in JSON where JSON is asked for', async () => {
		const response = await postForm({ ...lead, name: '' }, { accept: 'application/json' });
		const { errors } = await expectProblem(response, 422, 'invalid-lead');
		// A visitor reads the errors, beside the fields of the page.
		expect(errors).toEqual([{ pointer: '#/name', code: 'name_required', detail: 'Enter your name.' }]);
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
		const { host } = new URL(server().url);
		const said = Object.entries(headers).map(([name, value]) => [name, value.replace('OURS', host)]);
		const response = await postForm(lead, Object.fromEntries(said) as Record<string, string>);
		expect(response.status).toBe(status);
		if (status === 403) await expectProblem(response, 403, 'foreign-form');
	});
});

describe('GET /api/status', () => {
	test('answers with exactly four members', async () => {
		const response = await request('/api/status');
		const body = (await response.json()) as Record<string, unknown>;
		expect(Object.keys(body)).toEqual(['ok', 'service', 'version', 'time']);
		expect(body).toMatchObject({
			ok: true,
			service: service.identifier,
			version: expect.stringMatching(/^\d+\.\d+\.\d+\+[\da-f]{7}$/),
		});
		expect(new Date(body['time'] as string).toISOString()).toBe(body['time']);
		expect(response.headers.get('cache-control')).toBe('no-store');
	});
});
