import { globSync, readFileSync } from 'node:fs';
import { MIMEType } from 'node:util';
import { expect, expectTypeOf, test } from 'vitest';
import { documents } from '../../src/discovery/documents.ts';
import type { DocumentEntry } from '../../src/discovery/source.ts';
import { paths } from '../../src/facts/links.ts';
import { service } from '../../src/facts/load.ts';
import { answerAt, jsonAt, keyless, ofIssuedKeys, origin, textAt } from './published.ts';

test.each(documents)('$path is what its media type says: $mediaType', ({ path, mediaType }) => {
	const type = new MIMEType(mediaType);
	expect(answerAt(path).headers['content-type']).toBe(mediaType);
	expect(type.params.get('charset')).toBe(type.type === 'text' ? 'utf-8' : null);
	if (type.subtype.endsWith('json')) expect(jsonAt(path)).toBeInstanceOf(Object);
	if (type.subtype === 'xml') expect(textAt(path)).toMatch(/^<\?xml /);
});

test.each(documents)('$path is named, with what it is for, in every list of documents for programs', ({ path, purpose }) => {
	const page = readFileSync('var/test/dist/client/docs/agents.md', 'utf8').replace(/\[(RFC \d+)\]\([^)]*\)/g, '$1');
	expect(purpose).toMatch(/^[A-Z].*\.$/);
	expect(page).toMatch(new RegExp(`\\[${RegExp.escape(path)}\\]\\(.*\\) *\\| ${RegExp.escape(purpose)}`));
	if (path !== paths.authMd) expect(textAt(paths.authMd)).toContain(`- <${origin}${path}>: ${purpose}\n`);
	if (path !== paths.llmsTxt) expect(textAt(paths.llmsTxt)).toContain(`- [${path}](${origin}${path}): ${purpose}\n`);
});

test.each(documents)('$path speaks of no issued key where none is issued', ({ path }) => {
	expect(textAt(path, keyless)).not.toMatch(ofIssuedKeys);
});

test('a path without a slash in front is not of the type that paths have', () => {
	expectTypeOf<'robots.txt'>().not.toExtend<DocumentEntry['path']>();
});

test('no example in what is published is the address of somebody else', () => {
	const published = globSync('var/test/dist/client/**/*.{html,md,json,txt}').map((file) => readFileSync(file, 'utf8'));
	const addresses = published.flatMap((text) => text.match(/[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/gi) ?? []);
	const known: string[] = Object.values(service.emails);
	expect(addresses.filter((address) => !known.includes(address) && !address.endsWith('.example'))).toEqual([]);
});

/** The URLs of other sites that documents may name. */
const elsewhereAllowed = new Set([
	'http://www.sitemaps.org/schemas/sitemap/0.9',
	'http://www.w3.org/1999/xhtml',
	'https://github.com/workos/auth.md',
	'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
]);

test.each(documents)('$path names other sites only where a specification lives', ({ path }) => {
	const elsewhere = urlsIn(textAt(path)).filter((url) => !url.startsWith(origin));
	expect(elsewhere.filter((url) => !elsewhereAllowed.has(url))).toEqual([]);
});

test.each([paths.apiCatalog, paths.protectedResource, paths.authorizationServer])('%s has no empty array', (path) => {
	expect(textAt(path)).not.toMatch(/\[\s*\]/);
});

/** Returns every absolute URL in a text of Markdown, JSON or XML. */
function urlsIn(text: string): string[] {
	return [...text.matchAll(/https?:\/\/[^\s"'`<>()\\]+/g)].map(([url]) => url.replace(/[.,;:]+$/, '').replaceAll('&amp;', '&'));
}
