import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { formOf, lead, type LeadValues, postBody } from '../support/post-lead.ts';
import { expectProblem } from '../support/problem.ts';
import { startDevelopment, startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** Returns another lead each time: the same lead, sent again, would count once. */
const newLead = () => ({ ...lead, message: randomUUID() });

describe('the API', () => {
	const receiver = shared(() => startWebhookReceiver());
	const server = shared(() => startServer({ LEAD_WEBHOOK_URL: receiver().url, LEAD_RATE_LIMIT: 'off' }));

	const request = (path: string, init?: RequestInit & { duplex?: 'half' }) =>
		fetch(server().url + path, { redirect: 'manual', ...init });
	const post = (body: BodyInit, headers: Record<string, string> = {}) =>
		request('/api/contact', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
	const postForm = (fields: LeadValues, headers: Record<string, string> = {}) =>
		post(formOf(fields).toString(), { 'content-type': 'application/x-www-form-urlencoded', ...headers });

	const delivered = () =>
		receiver()
			.requests.map((request) => request.body)
			.join();

	describe('POST /api/contact', () => {
		test('takes a lead and delivers it', async () => {
			const response = await post(JSON.stringify({ ...lead, clinic: 'Clínica Luna' }));
			expect(response.status).toBe(200);
			expect(response.headers.get('content-type')).toBe('application/json');
			expect(response.headers.get('cache-control')).toBe('no-store');
			expect(await response.json()).toEqual({ ok: true });
			await expect.poll(() => receiver().requests.at(-1)?.body).toContain('Clínica Luna');
		});

		test.each([
			{ ...lead, name: 'Robot', website: 'https://spam.example' },
			{ name: 'Robot', website: ' ' },
			{ message: 'Robot', website: 'x', name: 7, phone: null },
		])('answers a filled honeypot as a real lead and delivers nothing: %o', async (body) => {
			const lead = newLead();
			const [hit, real] = [await post(JSON.stringify(body)), await post(JSON.stringify(lead))];
			expect(hit.status).toBe(200);
			expect(await hit.text()).toBe(await real.text());
			expect([...hit.headers.keys()]).toEqual([...real.headers.keys()]);
			await expect.poll(delivered).toContain(lead.message);
			expect(delivered()).not.toContain('Robot');
		});

		test.each(['', null])('takes a honeypot of %j as absent', async (website) => {
			const lead = newLead();
			expect((await post(JSON.stringify({ ...lead, website }))).status).toBe(200);
			await expect.poll(delivered).toContain(lead.message);
		});

		test.each([
			['broken JSON', '{"name":'],
			['no body', ''],
		])('refuses %s with 400', async (_case, body) => {
			await expectProblem(await post(body), 400, 'malformed-request');
		});

		test.each([
			['text/plain', JSON.stringify(lead)],
			['multipart/form-data; boundary=x', JSON.stringify(lead)],
			// As curl sends it by default, or with --data-urlencode.
			['application/x-www-form-urlencoded', `\n${JSON.stringify(lead)}`],
			['application/x-www-form-urlencoded', encodeURIComponent(JSON.stringify(lead))],
		])('refuses JSON as %s with 415 and says what it takes', async (contentType, body) => {
			const response = await post(body, { 'content-type': contentType });
			expect(response.headers.get('accept')).toBe('application/json');
			expect(response.headers.get('accept-post')).toBe('application/json');
			const { detail } = await expectProblem(response, 415, 'unsupported-media-type');
			expect(detail).toContain('Content-Type: application/json');
		});

		describe.each([
			['with its length declared', (text: string) => text],
			['that comes in chunks', (text: string) => new Blob([text]).stream()],
		])('a body %s', (_case, bodyOf) => {
			const send = (bytes: number) => {
				const text = JSON.stringify(lead);
				const body = bodyOf(text + ' '.repeat(bytes - Buffer.byteLength(text)));
				return request('/api/contact', { method: 'POST', body, headers: { 'content-type': 'application/json' }, duplex: 'half' });
			};

			test('may have 64 KiB', async () => {
				expect((await send(65_536)).status).toBe(200);
			});

			test('of one byte more is refused with 413', async () => {
				await expectProblem(await send(65_537), 413, 'too-large');
			});
		});

		test('names every field at fault with 422', async () => {
			const problem = await expectProblem(
				await post(JSON.stringify({ ...lead, name: '', email: 'ana', phone: 5 })),
				422,
				'invalid-lead',
			);
			expect(problem['errors']).toEqual([
				{ pointer: '#/name', code: 'name_required', detail: '`name` is required, and must not be empty.' },
				{ pointer: '#/email', code: 'email_invalid', detail: expect.stringMatching(/`email`.*`ana@clinic\.example`/) as string },
				{ pointer: '#/phone', code: 'phone_invalid', detail: '`phone` must be a string.' },
			]);
		});

		test.each(['[]', 'null', '"on"', '7', '[{"website":"x"}]'])('wants one object in place of other JSON: %s', async (body) => {
			const { errors } = await expectProblem(await post(body), 422, 'invalid-lead');
			const detail = expect.stringContaining('one JSON object') as string;
			expect(errors).toEqual([{ pointer: '#', code: 'body_not_object', detail }]);
		});

		test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('answers %s with 405 and Allow', async (method) => {
			const response = await request('/api/contact', { method });
			expect(response.headers.get('allow')).toBe('POST, OPTIONS');
			await expectProblem(response, 405, 'method-not-allowed');
		});
	});

	describe('the form without JavaScript', () => {
		test('is taken and leads to the page that says thanks', async () => {
			const response = await postForm({ ...lead, clinic: 'Clínica Mar', website: '', phone: '' });
			expect(response.status).toBe(303);
			expect(response.headers.get('location')).toBe('/contact/thanks');
			await expect.poll(() => receiver().requests.at(-1)?.body).toContain('Clínica Mar');
		});

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

		test.each<Record<string, string>>([
			{ 'sec-fetch-site': 'same-site' },
			{ origin: 'https://evil.example' },
			{ origin: 'null' },
		])('is refused with 403 when another site’s page sent it: %o', async (headers) => {
			await expectProblem(await postForm(lead, headers), 403, 'foreign-form');
		});

		test.each<Record<string, string>>([{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, {}])(
			'is taken from our own page: %o',
			async (headers) => {
				expect((await postForm(lead, headers)).status).toBe(303);
			},
		);

		test('is taken from our own origin, whatever its scheme', async () => {
			const { host } = new URL(server().url);
			for (const scheme of ['http', 'https']) expect((await postForm(lead, { origin: `${scheme}://${host}` })).status).toBe(303);
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

		test('answers HEAD with the same headers and no body', async () => {
			const response = await request('/api/status', { method: 'HEAD' });
			expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
				200,
				'application/json',
				'',
			]);
		});

		test.each(['POST', 'PUT', 'DELETE'])('answers %s with 405 and Allow', async (method) => {
			const response = await request('/api/status', { method });
			expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
			await expectProblem(response, 405, 'method-not-allowed');
		});
	});

	test.each([
		['/api/contact', 'POST', 'application/json', 'authorization, content-type, idempotency-key, test-answer'],
		['/api/status', 'GET, HEAD', null, 'authorization, content-type'],
	])('%s tells other origins that they may %s', async (path, methods, type, names) => {
		const preflight = { origin: 'https://other.example', 'access-control-request-headers': 'content-type' };
		const { status, headers } = await request(path, { method: 'OPTIONS', headers: preflight });
		expect([status, headers.get('allow')]).toEqual([204, `${methods}, OPTIONS`]);
		expect(headers.get('access-control-allow-origin')).toBe('*');
		expect(headers.get('access-control-allow-methods')).toBe(methods);
		expect(headers.get('access-control-allow-headers')).toBe(names);
		expect(headers.get('accept-post')).toBe(type);
	});

	test.each(['GET', 'POST', 'OPTIONS'])('%s of an operation that does not exist is 404', async (method) => {
		await expectProblem(await request('/api/leads', { method }), 404, 'not-found');
	});

	test('no answer asks for credentials', async () => {
		const responses = await Promise.all([request('/api/status'), request('/api/leads'), post('{}')]);
		expect(responses.map(({ headers }) => headers.get('www-authenticate'))).toEqual([null, null, null]);
	});
});

test('the preview for editors takes a lead and delivers it, and says what is wrong with one', async () => {
	await using receiver = await startWebhookReceiver();
	await using server = await startDevelopment({ LEAD_WEBHOOK_URL: receiver.url });
	expect((await postBody(server.url, lead)).status).toBe(200);
	await receiver.received(1);
	await expectProblem(await postBody(server.url, {}), 422, 'invalid-lead');
	expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
});
