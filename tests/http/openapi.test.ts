import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { OpenApi } from '../../src/discovery/openapi.ts';
import { paths } from '../../src/facts/links.ts';
import { answersDescribedBy } from '../support/described-answer.ts';
import { formOf, lead } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
	method: 'POST',
	body: typeof body === 'string' ? body : JSON.stringify(body),
	headers: { 'content-type': 'application/json', ...headers },
});
const newLead = () => ({ ...lead, message: randomUUID() });

test('every answer of the server is one that OpenAPI describes', async () => {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_WEBHOOK_URL: receiver.url, LEAD_RATE_LIMIT: '8/10m' });
	const description = (await (await fetch(server.url + paths.openapi)).json()) as OpenApi;
	const requests: [number, RequestInit][] = [
		[200, post(newLead())],
		[200, post({ website: 'x' })],
		[400, post('{')],
		[403, { method: 'POST', body: formOf(lead), headers: { origin: 'https://other.example' } }],
		[405, { method: 'PUT' }],
		[413, post('x'.repeat(70_000))],
		[415, post('x', { 'content-type': 'text/plain' })],
		[422, post({})],
		[200, post(newLead(), { 'idempotency-key': 'one' })],
		[422, post(newLead(), { 'idempotency-key': 'one' })],
		[200, post(newLead())],
		[200, post(newLead())],
		[200, post(newLead())],
		[200, post(newLead())],
		[429, post(newLead())],
	];
	for (const [status, request] of requests) {
		const response = await fetch(server.url + paths.submitLead, request);
		expect(response.status).toBe(status);
		await expectDescribed(response, description, paths.submitLead, 'post');
	}
	for (const request of [{}, { method: 'POST' }])
		await expectDescribed(await fetch(server.url + paths.getStatus, request), description, paths.getStatus, 'get');
});

test('so is its answer while no delivery is configured', async () => {
	await using server = await startServer();
	const description = (await (await fetch(server.url + paths.openapi)).json()) as OpenApi;
	const response = await fetch(server.url + paths.submitLead, post(lead));
	expect(response.status).toBe(503);
	await server.process.printed(/A lead was refused: no delivery is configured/);
	await expectDescribed(response, description, paths.submitLead, 'post');
});

async function expectDescribed(response: Response, description: OpenApi, path: string, method: string): Promise<void> {
	const answer = { status: response.status, headers: response.headers, body: await response.text() };
	expect(answersDescribedBy(description)(answer, path, method)).toEqual([]);
}
