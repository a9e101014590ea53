import { describe, expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { startStoring } from '../support/lead-places.ts';
import { formOf, lead, newLead, postBody, postForm } from '../support/post-lead.ts';
import { expectProblem } from '../support/problem.ts';
import { openConnection, posted, statusesOf } from '../support/raw-connection.ts';
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

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const json = JSON.stringify(lead);

const post = (body: BodyInit, type = JSON_TYPE, headers: Record<string, string> = {}) => {
	const request = { method: 'POST', body, redirect: 'manual', headers: { 'content-type': type, ...headers }, duplex: 'half' };
	return fetch(`${url()}/api/contact`, request as RequestInit);
};
const head = (headers: string, method = 'POST /api/contact') => `${method} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`;

test.each([
	...['utf-8', 'UTF-8', '"utf-8"', 'utf8'].map((charset) => [charset, 200, 303] as const),
	...['latin1', 'iso-8859-1', 'utf-16', 'utf-7', 'utf-81', 'cutf8', '"x"'].map((charset) => [charset, 415, 415] as const),
])('charset=%s of JSON is answered %i, and of a form %i', async (charset, ofJson, ofForm) => {
	expect((await post(json, `${JSON_TYPE}; charset=${charset}`)).status).toBe(ofJson);
	expect((await post(formOf(lead).toString(), `${FORM_TYPE};charset=${charset}`)).status).toBe(ofForm);
});

const otherTypes = ['', 'text/plain', 'application/jsonp', 'application/ld+json', 'application/json, text/plain'];
test.each<[type: string, coding?: string, body?: string]>([
	...['gzip', 'br', 'deflate', 'gzip, identity', 'x'].map((coding): [string, string] => [JSON_TYPE, coding]),
	...[...otherTypes, 'multipart/form-data; boundary=x'].map((type): [string] => [type]),
	// As curl sends it by default, or with --data-urlencode.
	[FORM_TYPE, 'identity', `\n${json}`],
	[FORM_TYPE, 'identity', encodeURIComponent(json)],
])('JSON as %j, in %s, is refused with 415, which says what is taken', async (type, coding = 'identity', body = json) => {
	const response = await post(body, type, { 'content-encoding': coding });
	const taken = { accept: JSON_TYPE, 'accept-post': JSON_TYPE, 'accept-encoding': 'identity' };
	expect(Object.fromEntries(response.headers)).toMatchObject(taken);
	await expectProblem(response, 415, 'unsupported-media-type');
});

const many = { ...Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`x${n}`, 0])), ...lead };
test.each<[what: string, status: number, body: BodyInit, type?: string]>([
	['broken JSON', 400, '{"name":'],
	['nothing', 400, ''],
	['UTF-16', 400, Buffer.from(json, 'utf16le')],
	['a byte that UTF-8 has not', 400, Buffer.from([0x7b, 0xff, 0x7d])],
	['a surrogate in UTF-8', 400, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
	['a byte order mark', 200, `\uFEFF${json}`],
	['a honeypot in the name of every object’s own', 422, '{"__proto__":{"website":"x"}}'],
	['such names beside a lead', 200, `{"__proto__":{"website":"x"},"toString":1,"hasOwnProperty":null,${json.slice(1)}`],
	['a field as deep as it can be', 422, `{"name":${'['.repeat(8000)}1${']'.repeat(8000)}}`],
	['a lead among 5,000 members', 200, JSON.stringify(many)],
	['10,000 pairs', 422, Array.from({ length: 10_000 }, (_, index) => `${index.toString(36)}=`).join('&'), FORM_TYPE],
	['pairs with names of every object’s own', 422, 'constructor=a&toString=b&hasOwnProperty=c', FORM_TYPE],
	['half an escape', 422, 'name=%&email=%zz&message=%e', FORM_TYPE],
])('a body of %s is answered %i', async (_, status, body, type) => {
	const response = await post(body, type);
	expect(response.status).toBe(status);
	if (status === 400) await expectProblem(response, 400, 'malformed-request');
});

test.each([
	['with its length declared', (text: string) => text],
	['that comes in chunks', (text: string) => new Blob([text]).stream()],
])('a body %s may have 64 KiB, and not one byte more', async (_, bodyOf) => {
	const sized = (bytes: number) => bodyOf(json + ' '.repeat(bytes - Buffer.byteLength(json)));
	expect((await post(sized(65_536))).status).toBe(200);
	await expectProblem(await post(sized(65_537)), 413, 'too-large');
});

describe.concurrent('a body that is not wanted, or not there', () => {
	const large = 'x'.repeat(300_000);
	const inChunks = posted('', 'Transfer-Encoding: chunked');
	test.each([
		['too long, by its own word, before it comes', 413, posted('', 'Content-Length: 200000000')],
		['of a wrong type, in chunks, before it comes', 415, head('Content-Type: text/plain\r\nTransfer-Encoding: chunked')],
		['sent to a page, before it comes', 405, head('Content-Length: 200000000', 'POST /contact')],
		['sent with a GET, before it comes', 200, head('Content-Length: 200000000', 'GET /api/status')],
		['of chunks, to a client that writes all of it', 413, `${inChunks}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`],
		['declared, to a client that writes all of it', 413, posted(large)],
		['that no header announces', 400, head(`Content-Type: ${JSON_TYPE}`)],
		['of thousands of chunks, to such a client', 413, `${inChunks}${'1\r\n \r\n'.repeat(3000)}0\r\n\r\n`],
	])('%s, is answered %i', async (_case, status, bytes) => {
		const socket = await openConnection(url());
		await new Promise((written) => socket.setEncoding('utf8').write(bytes, written));
		const [answer] = (await socket.take(1).toArray()) as string[];
		expect(statusesOf(answer!)).toEqual([status]);
	});
});

test('a client that is asked for its body, and goes away half-way, is no fault of ours', async () => {
	const socket = await openConnection(url());
	socket.write(posted('{"name":', 'Content-Length: 200\r\nExpect: 100-continue'));
	const [asked] = await socket.take(1).toArray();
	expect(statusesOf(String(asked))).toEqual([100]);
	socket.destroy();
	await expect.poll(() => storing().server.process.log).toContainEqual(expect.objectContaining({ status: 'aborted' }));
	expect(storing().server.process.log.filter(({ level }) => level === 'error')).toEqual([]);
});
