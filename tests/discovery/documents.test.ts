import { readFileSync } from 'node:fs';
import { MIMEType } from 'node:util';
import { expect, test } from 'vitest';
import { documents } from '../../src/discovery/documents.ts';
import { paths } from '../../src/facts/links.ts';
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
