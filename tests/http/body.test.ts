import { describe, expect, test } from 'vitest';
import { formOf, lead } from '../support/post-lead.ts';
import { exchange, openConnection, statusesOf } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const receiver = shared(() => startWebhookReceiver());
const server = shared(() => startServer({ LEAD_WEBHOOK_URL: receiver().url, LEAD_RATE_LIMIT: 'off' }));

const post = (body: BodyInit, type = JSON_TYPE, headers: Record<string, string> = {}) =>
	fetch(`${server().url}/api/contact`, {
		method: 'POST',
		body,
		redirect: 'manual',
		headers: { 'content-type': type, ...headers },
	});
const head = (headers: string, method = 'POST /api/contact') => `${method} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`;

describe('the encoding', () => {
	test.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8'])('charset=%s is taken', async (charset) => {
		expect((await post(JSON.stringify(lead), `${JSON_TYPE}; charset=${charset}`)).status).toBe(200);
		expect((await post(formOf(lead).toString(), `${FORM_TYPE};charset=${charset}`)).status).toBe(303);
	});

	test.each(['latin1', 'iso-8859-1', 'utf-16', 'utf-7', 'utf-81', 'cutf8', '"x"'])(
		'charset=%s is refused with 415',
		async (charset) => {
			expect((await post(JSON.stringify(lead), `${JSON_TYPE}; charset=${charset}`)).status).toBe(415);
			expect((await post(formOf(lead).toString(), `${FORM_TYPE};charset=${charset}`)).status).toBe(415);
		},
	);

	test.each(['gzip', 'br', 'deflate', 'gzip, identity', 'x'])(
		'content coding %s is refused, and identity named',
		async (coding) => {
			const response = await post(JSON.stringify(lead), JSON_TYPE, { 'content-encoding': coding });
			expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity']);
		},
	);

	test.each(['', 'application/json, text/plain', 'application/jsonp', 'application/ld+json'])(
		'media type %j is refused with 415',
		async (type) => {
			expect((await post(JSON.stringify(lead), type)).status).toBe(415);
		},
	);

	test.each([
		['UTF-16', Buffer.from(JSON.stringify(lead), 'utf16le'), 400],
		['a byte that UTF-8 has not', Buffer.from([0x7b, 0xff, 0x7d]), 400],
		['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 400],
		['a byte order mark', `\uFEFF${JSON.stringify(lead)}`, 200],
	])('%s', async (_case, body, status) => {
		expect((await post(body)).status).toBe(status);
	});
});

describe('JSON', () => {
	test('is taken from the pages of other sites', async () => {
		const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' };
		expect((await post(JSON.stringify(lead), JSON_TYPE, foreign)).status).toBe(200);
	});

	test.each([
		['to fill the honeypot', '{"__proto__":{"website":"x"}}', 422],
		['beside a lead', `{"__proto__":{"website":"x"},"toString":1,"hasOwnProperty":null,${JSON.stringify(lead).slice(1)}`, 200],
	])('with names of every object’s own %s changes nothing', async (_case, body, status) => {
		expect((await post(body)).status).toBe(status);
	});

	test.each([
		['a field as deep as it can be', `{"name":${'['.repeat(8000)}1${']'.repeat(8000)}}`, 422],
		[
			'a lead among 5,000 members',
			JSON.stringify({ ...Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`x${n}`, 0])), ...lead }),
			200,
		],
	])('%s', async (_case, body, status) => {
		expect((await post(body)).status).toBe(status);
	});
});

describe('forms', () => {
	test.each([
		['10,000 pairs', Array.from({ length: 10_000 }, (_, index) => `${index.toString(36)}=`).join('&'), 422],
		['names of every object’s own', 'constructor=a&toString=b&hasOwnProperty=c', 422],
		['half an escape', 'name=%&email=%zz&message=%e', 422],
	])('%s', async (_case, body, status) => {
		expect((await post(body, FORM_TYPE)).status).toBe(status);
	});
});

describe.concurrent('a body that is not wanted', () => {
	test.each([
		['too long, by its own word', head(`Content-Type: ${JSON_TYPE}\r\nContent-Length: 200000000`), 413],
		['of a wrong type, in chunks', head('Content-Type: text/plain\r\nTransfer-Encoding: chunked'), 415],
		['sent to a page', head('Content-Length: 200000000', 'POST /contact'), 405],
		['sent with a GET', head('Content-Length: 200000000', 'GET /api/status'), 200],
	])('%s is answered before it comes', async (_case, bytes, status) => {
		const socket = await openConnection(server().url);
		socket.setEncoding('utf8').write(bytes);
		const [answer] = (await socket.take(1).toArray()) as string[];
		expect(statusesOf(answer!)).toEqual([status]);
	});

	test.each([
		['of chunks', 'Transfer-Encoding: chunked', (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`],
		['declared', 'Content-Length: 300000', (text: string) => text],
		['of thousands of chunks', 'Transfer-Encoding: chunked', () => `${'1\r\n \r\n'.repeat(3000)}0\r\n\r\n`],
	])('%s: a client that writes all of it before it reads gets its 413', async (_case, header, framed) => {
		const socket = await openConnection(server().url);
		await new Promise((written) =>
			socket.write(head(`Content-Type: ${JSON_TYPE}\r\n${header}`) + framed('x'.repeat(300_000)), written),
		);
		const [answer] = (await socket.setEncoding('utf8').take(1).toArray()) as string[];
		expect(statusesOf(answer!)).toEqual([413]);
	});
});

test('Expect: 100-continue asks for the body, and the request goes on', async () => {
	const headers = `Content-Type: ${JSON_TYPE}\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close`;
	expect(statusesOf(await exchange(server().url, `${head(headers)}{}`))).toEqual([100, 422]);
});

test('a client that goes away half-way is no fault of ours', async () => {
	const socket = await openConnection(server().url);
	socket.write(`${head(`Content-Type: ${JSON_TYPE}\r\nContent-Length: 200\r\nExpect: 100-continue`)}{"name":`);
	await socket.take(1).toArray();
	socket.destroy();
	await expect.poll(() => server().process.log).toContainEqual(expect.objectContaining({ status: 'aborted' }));
	expect(server().process.log.filter(({ level }) => level === 'error')).toEqual([]);
});
