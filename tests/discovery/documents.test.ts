import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documents } from '../../src/discovery/documents.ts';
import { paths } from '../../src/facts/links.ts';
import { keyless, ofIssuedKeys, origin, textAt } from './published.ts';

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
