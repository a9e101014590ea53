import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../src/discovery/openapi-document.ts';
import { description, examplesOf, operations, schemaNamed } from '../../src/site/reference/description.ts';
import { fieldsOf } from '../../src/site/reference/fields.ts';

const { operation } = operations[0]!;
const html = readFileSync('var/test/dist/client/docs/api.html', 'utf8');

const wordsIn = (text: string) => text.replaceAll(/<[^>]*>|[`\s]/g, '');

test('the page has every operation, in its outline too', () => {
	const outline = /<ul>.*?<\/ul>/s.exec(html.slice(html.search(/class="[^"]*outline"/)))![0];
	const headings = [...outline.matchAll(/<a href="#.*?">(.*?)<\/a>/g)].map(([, heading]) => heading!);
	expect(headings.slice(-operations.length)).toEqual(operations.map(({ operation: { summary } }) => summary));
	for (const { operation } of operations) expect(html).toContain(`<section id="${operation.operationId}"`);
});

test('every answer of the description has a tab, under the class of its status', () => {
	const answers = /aria-label="Answers of submitLead"([^]*?)<\/section>/.exec(html)![1]!;
	const described = Object.entries(operation.responses).flatMap(([status, { content }]) => examplesOf(content).map(() => status));
	const titles = [...answers.matchAll(/<(h4|summary)[^>]*>\s*(\d\w\w)/g)].map(([, , title]) => title!);
	expect(titles).toEqual(Object.entries(Object.groupBy(described, ([first]) => `${first}xx`)).flat(2));
});

test('the rules of a lead stand folded below its fields, in full', () => {
	const [, below] = html.split('id="submitLead-website"');
	const [, folded] = /<details class="reference-rules">([^]*?)<\/details>/.exec(below!)!;
	const [, rules] = schemaNamed('Lead').description!.split('\n\n');
	expect(wordsIn(folded!)).toContain(wordsIn(rules!));
});

test('the rules of a field are said in words', () => {
	const fields = Object.fromEntries(fieldsOf(schemaNamed('Lead')).map(({ name, ...field }) => [name, field]));
	expect(fields).toMatchObject({
		name: { type: 'string', required: true, rules: ['1 to 120 characters'] },
		email: { required: true, rules: ['format `email`', 'at most 254 characters'] },
		consent: { required: true, rules: ['always `"on"`'] },
		message: { required: false, rules: ['at most 5000 characters'] },
	});
});

test('nested objects, items of arrays and what is in allOf are members too', () => {
	const item: JsonSchema = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] };
	const list: JsonSchema = { type: 'array', items: { type: 'array', items: item } };
	const fields = fieldsOf({
		allOf: [{ properties: { lists: list, one: item }, required: ['one'] }],
		properties: { size: { type: ['integer', 'null'] } },
	});
	expect(fields.map(({ name, type, required }) => [name, type, required])).toEqual([
		['lists', 'array of array of object', false],
		['lists[][].code', 'string', true],
		['one', 'object', true],
		['one.code', 'string', true],
		['size', 'integer or null', false],
	]);
});

test('the page has every member of every schema, with its meaning', () => {
	const rows = [...html.matchAll(/<tr id="\S*[-.](\w+)">([^]*?)<\/tr>/g)].map(
		([, member, row]) => [member, wordsIn(row!)] as const,
	);
	for (const { properties } of Object.values(description.components.schemas))
		for (const [name, { description: meaning }] of Object.entries(properties as Record<string, JsonSchema>))
			expect(rows.filter(([member]) => member === name).join()).toContain(wordsIn(meaning!).slice(0, 20));
});
