import fc from '../support/fast-check.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApi } from '../../src/discovery/openapi.ts';
import { paths } from '../../src/facts/links.ts';
import { answersDescribedBy } from '../support/described-answer.ts';
import { drawnLead, type ObjectSchema } from '../support/drawn-lead.ts';
import { openConnection } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const bounds = { numRuns: 2000 };

const receiver = shared(() => startWebhookReceiver());
const server = shared(() => startServer({ LEAD_WEBHOOK_URL: receiver().url, LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' }));
let description: OpenApi;
beforeAll(async () => {
	description = (await (await fetch(server().url + paths.openapi)).json()) as OpenApi;
});

describe('whatever comes', () => {
	test('as a lead is answered as OpenAPI says', async () => {
		const faultsOf = answersDescribedBy(description);
		const property = fc.asyncProperty(requests(description), async ({ body, headers }) => {
			const sent = { accept: 'application/json', ...headers };
			const response = await fetch(server().url + paths.submitLead, { method: 'POST', body, headers: sent });
			const answer = { status: response.status, headers: response.headers, body: await response.text() };
			expect(faultsOf(answer, paths.submitLead, 'post')).toEqual([]);
			expect(answer.status).toBeLessThan(500);
		});
		await fc.assert(property, bounds);
		expectNoFault();
	});

	test('as bytes is answered, or refused, and the connection ends', async () => {
		const property = fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), async (parts) => {
			const answer = await lastWords(Buffer.concat(parts));
			expect(answer).not.toMatch(/HTTP\/1\.1 5/);
		});
		await fc.assert(property, bounds);
		expectNoFault();
		expect((await fetch(server().url + paths.getStatus)).status).toBe(200);
	});
});

const expectNoFault = () =>
	expect(server().process.log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);

/** Sends bytes, hangs up on our side, and returns what came by the end. */
async function lastWords(bytes: Uint8Array): Promise<string> {
	const socket = await openConnection(server().url);
	socket.end(bytes);
	const chunks: Buffer[] = [];
	socket.on('data', (chunk: Buffer) => chunks.push(chunk));
	await new Promise((resolve) => socket.once('close', resolve).once('end', resolve));
	socket.destroy();
	return Buffer.concat(chunks).toString('latin1');
}

/** Requests to the leads' address: right leads, nearly right ones, and others. */
function requests({ components }: OpenApi) {
	const nearly = drawnLead(components.schemas['Lead'] as ObjectSchema);
	const odd = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'website', 'name')), hostile);
	const both = fc.tuple(nearly, odd).map(([one, two]) => ({ ...one, ...two }));
	const text = fc.oneof({ weight: 2, arbitrary: nearly }, both, odd, fc.jsonValue()).map((value) => JSON.stringify(value));
	const body = fc.oneof(
		{ weight: 5, arbitrary: text },
		text.map((whole) => whole.slice(0, -2)),
		fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
		fc.integer({ min: 60_000, max: 70_000 }).map((length) => `{"message":"${'x'.repeat(length)}"}`),
	);
	const headers = Object.fromEntries(
		['idempotency-key', 'x-forwarded-for', 'origin', 'accept-language'].map((name) => [name, visible]),
	);
	const type = fc.oneof({ weight: 8, arbitrary: fc.constant('application/json') }, visible);
	return fc.record({ body, headers: fc.record({ ...headers, 'content-type': type }, { requiredKeys: ['content-type'] }) });
}

const told = ['\r\nBcc: a@b.example', '\u0000', '\u202Egnp', '<script>', '<!channel>', '=1+1', '\uD800'];
const hostile = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 60 }),
	fc.jsonValue(),
	fc.constantFrom(...told, ' '.repeat(5000)),
);

const sign = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const visible = fc.string({ unit: sign, minLength: 1, maxLength: 40 });

const targets = ['/', '/api/contact', '/api/status', '/contact', '*', 'http://x', ' HTTP/1.1', ' HTTP/1.0', '{}', '{"name":'];
const fields = ['Host: localhost', 'Content-Length: 5', 'Transfer-Encoding: chunked', 'Expect: 100-continue', 'Upgrade: h2c'];
const others = ['Content-Type: application/json', 'Connection: close', 'Connection: upgrade'];
const pieces = fc
	.oneof(
		fc.constantFrom('GET ', 'POST ', 'HEAD ', 'OPTIONS ', 'CONNECT '),
		fc.constantFrom(...targets),
		fc.constantFrom('\r\n', '\r\n\r\n', '\n', '\r', '\0', ' ', '\t', ':', ';', ',', '0\r\n\r\n', '5\r\nhello\r\n'),
		fc.constantFrom(...[...fields, ...others].map((field) => `\r\n${field}`)),
		fc.constantFrom(
			'GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n',
			'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
		),
		fc.uint8Array({ maxLength: 40 }),
	)
	.map((piece) => Buffer.from(piece));
