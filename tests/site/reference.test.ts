import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeIn } from '../support/html.ts';
import { newLead, postBody } from '../support/post-lead.ts';
import { startBuilt } from '../support/server.ts';
import { SMALL_SITE, smallClient } from '../support/small-site.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { JsonSchema } from '../../src/discovery/openapi-document.ts';
import { description, fieldsOf, operations, schemaNamed } from '../../src/site/reference/description.ts';

const { operation } = operations[0]!;
const html = readFileSync(`${smallClient}/docs/api.html`, 'utf8');

const wordsIn = (text: string) => text.replaceAll(/<[^>]*>|[`\s]/g, '');

test('the page has every operation, in its outline too with its fields, headers and answers, and no heading twice', () => {
	const outline = /<ul>.*?<\/ul>/s.exec(html.slice(html.search(/class="[^"]*outline"/)))![0];
	const headings = [...outline.matchAll(/<a href="#.*?">(.*?)<\/a>/g)].map(([, heading]) => heading!);
	const [sending, reading] = operations.map(({ operation: { summary } }) => summary);
	expect(headings.slice(-6)).toEqual([sending, 'Fields', 'Headers', 'Answers', reading, 'Answers']);
	for (const { operation } of operations) expect(html).toContain(`<section id="${operation.operationId}"`);
	const all = [...html.matchAll(/<h\d[^>]*>[^]*?<\/h\d>/g)].map(([heading]) => heading.replaceAll(/<[^>]*>|\s+/g, ' ').trim());
	expect(all).toEqual([...new Set(all)]);
});

test('every answer of the description has a row, with a place of its own', () => {
	const [, rows] = /aria-label="Answers of submitLead"([^]*?)<\/table>/.exec(html)!;
	const { default: _, 200: _accepted, ...refused } = operation.responses;
	const contents = Object.keys(refused).flatMap((status) =>
		Object.values(description.components.responses[`answer_${status}`]!.content),
	);
	const names = contents.flatMap(({ examples }) => Object.keys(examples));
	expect([...rows!.matchAll(/ id="submitLead-([^"]*)"/g)].map(([, name]) => name)).toEqual(['200', ...names]);
});

test('the rules of a lead are folded below its fields, in full', () => {
	const [, below] = html.split('id="submitLead-website"');
	const [, folded] = /<details class="reference-more">([^]*?)<\/details>/.exec(below!)!;
	const [, ...rules] = schemaNamed('Lead').description!.split('\n\n');
	expect(wordsIn(folded!)).toContain(wordsIn(rules.join('')));
});

test('the page of the limit shows its answer as the server sends it, and leads to how to send it again', async () => {
	const page = readFileSync(`${smallClient}/docs/errors/rate-limited.html`, 'utf8');
	expect(page).toContain('href="/docs/send-a-lead#sending-again"');
	const shown = codeIn(/<pre [^>]*language-http[^>]*>(.*?)<\/pre>/s.exec(page)![1]!);
	const [head, body] = shown.split('\n\n') as [string, string];
	await using folder = await temporaryFolder();
	await using server = await startBuilt(`${SMALL_SITE}/dist`, { LEAD_MAILBOX: `${folder.path}/mailbox` });
	const send = () => postBody(server.url, newLead());
	let answer = await send();
	while (answer.status !== 429) answer = await send();
	const told = ['content-type', 'ratelimit', 'ratelimit-policy', 'retry-after'].map((name) => answer.headers.get(name));
	const wait = answer.headers.get('retry-after')!;
	const [, ...headers] = head.split('\n');
	expect(headers.map((line) => line.replace(/^[\w-]+: /, '').replace(/\b42\b/, wait))).toEqual(told);
	expect(JSON.parse(body)).toEqual(await answer.json());
});

test('the rules of a field are said in words', () => {
	expect(Object.fromEntries(fieldsOf(schemaNamed('Lead')).map(({ name, ...field }) => [name, field]))).toMatchObject({
		name: { need: 'required', rules: ['string', '1 to 120 characters'] },
		email: { need: 'required', rules: ['string', 'format `email`', 'at most 254 characters'] },
		consent: { need: 'required', rules: ['string', 'always `"on"`'] },
		message: { need: 'optional', rules: ['string', 'at most 5000 characters'] },
	});
});

test('nested objects, items of arrays and what is in allOf are members too', () => {
	const item: JsonSchema = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] };
	const list: JsonSchema = { type: 'array', items: { type: 'array', items: item } };
	const size: JsonSchema = { type: ['integer', 'null'] };
	const fields = fieldsOf({ allOf: [{ properties: { lists: list, one: item }, required: ['one'] }], properties: { size } });
	expect(fields.map(({ name, rules, need }) => [name, ...rules, need])).toEqual([
		['lists', 'array of array of object', 'optional'],
		['lists[][].code', 'string', 'required'],
		['one', 'object', 'required'],
		['one.code', 'string', 'required'],
		['size', 'integer or null', 'optional'],
	]);
});

test('the page has every member of every schema, with its meaning', () => {
	const rows = Array.from(html.matchAll(/<tr id="\S*[-.](\w+)">([^]*?)<\/tr>/g), ([, name, row]) => [name, wordsIn(row!)]);
	for (const { properties } of Object.values(description.components.schemas))
		for (const [name, { description: meaning }] of Object.entries(properties as Record<string, JsonSchema>))
			expect(rows.filter(([member]) => member === name).join()).toContain(wordsIn(meaning!).slice(0, 20));
});
