import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lead } from '../support/post-lead.ts';
import { description, operationNamed, schemaNamed } from '../../src/site/reference/description.ts';
import { fieldsOf } from '../../src/site/reference/fields.ts';
import { samplesOf } from '../../src/site/reference/samples.ts';
import page from '../../content/docs/api.mdx?raw';

const { operation, method, url } = operationNamed('submitLead');

test('the page has every operation of the description', () => {
	const operations = Object.values(description.paths).flatMap((item) => Object.values(item));
	for (const { operationId } of operations) expect(page).toContain(`<Operation id="${operationId}" />`);
});

test('an operation that does not exist is named, with those that do', () => {
	expect(() => operationNamed('sendLead')).toThrow('found the operation sendLead, wanted submitLead or getStatus');
});

test('an operation is shown with its whole URL', () => {
	expect({ method, url }).toEqual({ method: 'post', url: 'https://www.website.test/api/contact' });
});

test.each([
	['name', true, ['1 to 120 characters']],
	['email', true, ['format `email`', 'at most 254 characters']],
	['consent', true, ['always `"on"`']],
	['message', false, ['at most 5000 characters']],
	['website', false, ['always `""`']],
])('the rules of %s are said in words', (name, required, rules) => {
	const field = fieldsOf(schemaNamed('Lead')).find((candidate) => candidate.name === name);
	expect(field).toMatchObject({ type: 'string', required, rules });
});

test('every field of a lead is described, with an example', () => {
	for (const field of fieldsOf(schemaNamed('Lead')))
		expect(field).toMatchObject({ description: expect.any(String) as string, example: expect.any(String) as string });
});

test('every operation has a sample for curl, JavaScript and Python', () => {
	expect(samplesOf(operation, method, url).map(({ id }) => id)).toEqual([
		'submitLead.curl',
		'submitLead.javascript',
		'submitLead.python',
	]);
});

test.each(samplesOf(operation, method, url))('the sample $id sends the required fields as JSON', ({ code }) => {
	expect(code).toContain('Content-Type');
	for (const required of Object.entries(lead).flat()) expect(code).toContain(required);
});

let received = '';
const server = createServer((request, response) => {
	request.on('data', (chunk: Buffer) => (received += chunk.toString()));
	request.on('end', () => response.setHeader('content-type', 'application/json').end('{"ok":true}'));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, 'localhost', resolve)));
afterAll(() => server.close());

test('the sample for JavaScript runs as it is', async () => {
	const here = `http://localhost:${(server.address() as AddressInfo).port}/api/contact`;
	const sample = samplesOf(operation, method, here).find(({ language }) => language === 'javascript')!;
	const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', sample.code]);
	expect(stdout).toBe('200 { ok: true }\n');
	expect(JSON.parse(received)).toMatchObject({ name: 'Ana Ruiz', consent: 'on' });
});
