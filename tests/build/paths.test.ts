import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkPaths } from '../../src/build/paths.ts';
import type { Manifest } from '../../src/server/manifest.ts';
import { paths } from '../../src/service/links.ts';
import { copyOfProject } from '../support/project-copy.ts';

const manifest = JSON.parse(readFileSync('var/test/dist/server/files.json', 'utf8')) as Manifest;

test('a path that code or prose names, and at which nothing is published, stops the build', () => {
	expect(() => checkPaths(manifest)).not.toThrow();
	const { [paths.llmsTxt]: _document, [paths.thanks]: _page, ...others } = manifest;
	const { [paths.contact]: _contact, ...withoutContact } = manifest;
	expect(() => checkPaths(withoutContact)).toThrow(`found accessRequest: '${paths.accessRequest}'`);
	expect(() => checkPaths(others)).toThrow(
		/^src\/service\/links\.ts: found thanks: '\/contact\/thanks', wanted .*\n.*links\.ts: found llmsTxt: '\/llms\.txt', wanted /,
	);
});

test('rows of the table of documents with the path of another document or of a page stop the build', async () => {
	await using copy = await copyOfProject();
	const rows = ['/robots.txt', '/docs', '/docs/api.md'].map(
		(path) => `{ path: '${path}', purpose: 'Who made it.', mediaType: plain, build: robotsTxt },`,
	);
	await copy.edit('src/discovery/documents.ts', 'documents: Document[] = [', `$&${rows.join('')}`);
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toContain(`src/discovery/documents.ts: found '/robots.txt' twice, wanted each path once.
src/discovery/documents.ts: found '/docs', which a page has, wanted another path.
src/discovery/documents.ts: found '/docs/api.md', which a page has, wanted another path.`);
});
