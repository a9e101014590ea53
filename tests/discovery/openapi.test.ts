import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import type { JsonSchema, Response } from '../../src/discovery/openapi-document.ts';
import { openapi, type Operation } from '../../src/discovery/openapi.ts';
import { retryOf } from '../../src/discovery/openapi-responses.ts';
import { type ProblemName, problem, problems } from '../../src/api/answer.ts';
import { errorCodes, leadFields } from '../../src/lead/lead.ts';
import { facts } from '../../src/facts/load.ts';
import { links, origin, issued, textAt } from './published.ts';

const description = openapi(issued);
const submitLead = description.paths['/api/contact']!['post']!;
const getStatus = description.paths['/api/status']!['get']!;
const operations = [submitLead, getStatus];
/** Returns what an operation answers with a status, as its reference names it. */
const answerOf = ({ responses }: Operation, status: number | string): Response => {
	const answer = responses[status]!;
	return '$ref' in answer ? description.components.responses[answer.$ref.split('/').at(-1)!]! : answer;
};

test('Redocly finds nothing, by its strictest rules, which validate every example too', async () => {
	const config = await createConfig({ extends: ['recommended-strict'] });
	const findings = await lintFromString({ source: textAt('/openapi.json'), absoluteRef: 'openapi.json', config });
	expect(findings.map(({ ruleId, message, location }) => `${location[0]?.pointer} ${ruleId}: ${message}`)).toEqual([]);
});

test('the description alone says how often to try, how long to wait, and the limit', () => {
	for (const name of ['wait.answer', 'retry.tries', 'retry.pauses', 'limit.leads', 'limit.minutes'])
		expect(submitLead.description).toMatch(new RegExp(`\\b${facts[name]}\\b`));
	expect(description.components.headers['Retry-After']!.schema).not.toHaveProperty('maximum');
});

test('the version, the names and the absence of credentials are what was promised, and a lead may come with an API key', () => {
	expect(description).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' }, security: [{}], servers: [{ url: origin }] });
	expect(operations).toMatchObject([
		{ operationId: 'submitLead', tags: ['leads'], security: [{}, { apiKey: [] }] },
		{ operationId: 'getStatus', tags: ['status'], security: [{}] },
	]);
	expect(description.components.securitySchemes).toMatchObject({ apiKey: { type: 'http', scheme: 'bearer' } });
	expect(Object.keys(getStatus.responses)).not.toContain('401');
});

test('no header that a client may send has a value that all clients would send', () => {
	for (const parameter of submitLead.parameters!)
		for (const word of ['example', 'examples', 'default', 'const', 'enum'])
			for (const part of [parameter, parameter.schema]) expect(part).not.toHaveProperty(word);
});

test('the names of schemas and answers are identifiers, because generators make them names of types', () => {
	const { schemas, responses } = description.components;
	for (const name of Object.keys({ ...schemas, ...responses })) expect(name).toMatch(/^[A-Za-z]\w*$/);
});

test('patterns have only what the engines of all languages know, and generated JavaScript can hold', () => {
	const patterns = textAt('/openapi.json').matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g);
	const unescaped = [...patterns].map(([, json]) => (JSON.parse(json!) as string).replaceAll(/\\(?:s|x[0-7][\dA-F]|\W)/g, ''));
	expect(unescaped.length).toBeGreaterThan(3);
	for (const pattern of unescaped) expect(pattern).not.toMatch(/[\\\n\r\u2028\u2029]|\[[^\]]*\[/);
});

test('the published file has no invisible character', () => {
	expect(textAt('/openapi.json').match(/(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu)).toBeNull();
});

test('a lead is JSON with the promised members, and with the fields and limits that the server enforces', () => {
	const { properties, required } = description.components.schemas['Lead']!;
	expect(required).toEqual(['name', 'clinic', 'email', 'consent']);
	// The form is the page’s own.
	expect(Object.keys(submitLead.requestBody!.content)).toEqual(['application/json']);
	expect(Object.keys(properties!)).toEqual(leadFields.map(({ name }) => name));
	for (const { name, maxLength } of leadFields) expect((properties![name] as JsonSchema).maxLength).toBe(maxLength);
	const promised = { email: { format: 'email' }, consent: { const: 'on' }, website: { const: '' }, message: { maxLength: 5000 } };
	expect(properties).toMatchObject(promised);
});

test.each(Object.keys(problems) as ProblemName[])('the problem %s is documented under its status', (name) => {
	const { status } = problems[name];
	const { schema, examples } = answerOf(submitLead, status).content['application/problem+json']!;
	const wanted = name === 'invalid-lead' ? 'InvalidLead' : 'Problem';
	expect(schema.anyOf ?? [schema]).toContainEqual({ $ref: `#/components/schemas/${wanted}` });
	expect(examples[name]!.value).toMatchObject({ type: `${links.errors}/${name}`, status });
	// Whoever sends a lead again must not send two.
	expect(problems[name].detail.includes('the same Idempotency-Key')).toBe(retryOf(name).startsWith('Yes'));
});

test('every member of a problem is described, also the name of a failure', () => {
	const { Problem, InvalidLead } = description.components.schemas;
	const { body } = problem('internal-error', { instance: 'urn:uuid:1', errors: [] });
	const described = { ...Problem!.properties!, ...InvalidLead!.properties! };
	expect(Object.keys(JSON.parse(body as string) as object)).toEqual(Object.keys(described));
});

test('lists of names that may grow take others and say which are known: clients that were made from them go on working', () => {
	const { Problem, ProblemError, Status } = description.components.schemas;
	const { type } = Problem!.properties as Record<string, JsonSchema>;
	const { pointer, code } = ProblemError!.properties as Record<string, JsonSchema>;
	for (const member of [type, pointer, code]) expect(member).not.toHaveProperty('enum');
	for (const name of Object.keys(problems)) expect(type!.description).toContain(`\`/${name}\``);
	for (const name of [...errorCodes, 'body_not_object']) expect(code!.description).toContain(`\`${name}\``);
	for (const name of ['#', ...leadFields.map((field) => `#/${field.name}`)])
		expect(pointer!.description).toContain(`\`${name}\``);
	expect(Problem!.required).toEqual(['type', 'title', 'status', 'detail']);
	expect(Status!.required).toEqual(['ok', 'service', 'version', 'time']);
	expect(Status).not.toHaveProperty('additionalProperties');
	expect(textAt('/openapi.json')).not.toMatch(RegExp(`"(const|enum)":[^,}\\]]*${RegExp.escape(origin)}`));
});

test('each operation documents the headers of its answers, and that any other answer should be a problem', () => {
	const headers = { 429: 'Retry-After', 405: 'Allow', 415: 'Accept-Post', 200: 'RateLimit', 403: 'Test-Key' };
	for (const [status, header] of Object.entries(headers)) expect(answerOf(submitLead, status).headers).toHaveProperty([header]);
	for (const operation of operations)
		expect(answerOf(operation, 'default').content['application/problem+json']!.schema.$ref).toBe('#/components/schemas/Problem');
	const { Allow, RateLimit, 'Retry-After': wait } = description.components.headers;
	for (const operation of operations) expect(answerOf(operation, 405).headers).toHaveProperty('Allow');
	expect(Allow!.examples).toMatchObject({ submitLead: { value: 'POST, OPTIONS' }, getStatus: { value: 'GET, HEAD, OPTIONS' } });
	expect(RateLimit!.examples!['rate-limited']!.value).toBe(`"default";r=0;t=${wait!.examples!['rate-limited']!.value}`);
});
