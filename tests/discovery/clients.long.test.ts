import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { convertV2 } from 'openapi-to-postmanv2';
// @ts-expect-error It has no types.
import SwaggerClient from 'swagger-client';
import { expect, test } from 'vitest';
import { keyFormOf } from '../../src/facts/key-form.ts';
import { paths } from '../../src/facts/links.ts';
import { service } from '../../src/facts/load.ts';
import { lead as required, postBody } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = shared(() => startWebhookReceiver());
const server = shared(() => startServer({ LEAD_WEBHOOK_URL: receiver().url, LEAD_STORE: 'none' }));

/** Sends the lead that a tool has filled in by itself, with these members replaced. */
type Send = (changes: object, token?: string) => Promise<{ status: number; headers: object }>;

const postman = async (description: object): Promise<Send> => {
	const converted = await promisify(convertV2)({ type: 'json', data: description }, {});
	const collection = converted!.output![0]!.data as Item;
	const { request } = leaves(collection).find(({ request }) => request?.method === 'POST')!;
	const filled = Object.fromEntries(
		request!.header.flatMap(({ disabled, key, value }) => (disabled ? [] : [[key.toLowerCase(), value]])),
	);
	return async (changes, token) => {
		const body = { ...(JSON.parse(request!.body.raw) as object), ...changes };
		const { status, headers } = await postBody(server().url, body, { ...filled, ...bearer(token) });
		return { status, headers: Object.fromEntries(headers) };
	};
};
const bearer = (token?: string): Record<string, string> => (token === undefined ? {} : { authorization: `Bearer ${token}` });

/** An item of a collection, or a folder. */
interface Item {
	item?: Item[];
	request?: { method: string; header: { disabled?: boolean; key: string; value: string }[]; body: { raw: string } };
}
const leaves = (one: Item): Item[] => one.item?.flatMap(leaves) ?? [one];

const swagger = async (description: object): Promise<Send> => {
	const spec = { ...description, servers: [{ url: server().url }] };
	const client = (await SwaggerClient({ spec })) as { execute: (call: object) => ReturnType<Send> };
	return (changes, token) =>
		client.execute({
			operationId: 'submitLead',
			requestBody: { ...required, ...changes },
			securities: { authorized: token === undefined ? {} : { apiKey: { value: token } } },
		});
};

test.each([
	['Postman', postman],
	['Swagger UI', swagger],
])('what %s fills in reaches the sales team, and with the test key another body may follow', async (_, load) => {
	const send = await load((await (await fetch(server().url + paths.openapi)).json()) as object);
	const { publicTestKey } = keyFormOf(service.identifier);
	for (const message of ['one', 'another']) {
		expect(await send({ ...required, message }, publicTestKey)).toMatchObject({ status: 200, headers: { 'test-key': '?1' } });
	}
	const message = randomUUID();
	expect((await send({ ...required, message })).status).toBe(200);
	expect(receiver().requests.at(-1)!.body).toContain(message);
});
