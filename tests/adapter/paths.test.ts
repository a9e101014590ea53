import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkPaths } from '../../src/adapter/paths.ts';
import type { Manifest } from '../../src/server/manifest.ts';
import { paths } from '../../src/facts/links.ts';
import { origin, service } from '../../src/facts/load.ts';
import { copyOfProject } from '../support/project-copy.ts';

const manifest = JSON.parse(readFileSync('var/test/dist/server/files.json', 'utf8')) as Manifest;

test('a path that code or prose names, and at which nothing is published, stops the build', () => {
	expect(() => checkPaths(manifest, service.keys)).not.toThrow();
	const { [paths.llmsTxt]: _document, [paths.thanks]: _page, ...others } = manifest;
	const { [paths.accessRequest]: _request, ...withoutRequest } = manifest;
	expect(() => checkPaths(withoutRequest, 'issued')).toThrow(`found accessRequest: '${paths.accessRequest}'`);
	expect(() => checkPaths(withoutRequest, 'none')).not.toThrow();
	expect(() => checkPaths(others, service.keys)).toThrow(
		/^src\/facts\/links\.ts: found thanks: '\/contact\/thanks', wanted .*\n.*links\.ts: found llmsTxt: '\/llms\.txt', wanted /,
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

test('a document for programs that leads to where nothing is stops the build', async () => {
	await using copy = await copyOfProject();
	await copy.edit(
		'src/discovery/pages.ts',
		'paths.contact, contactEntry)),',
		"$&\n...(await translatedPages('/team', contactEntry)),",
	);
	await copy.edit('content/auth.md', '## Discover', '<{{origin}}/nowhere?a=b>, and {{origin}}.\n\n$&');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	const wanted = 'wanted an address at which something is published: write its page';
	expect(output).toContain(`/auth.md: found the link ${origin}/nowhere?a=b, ${wanted}`);
	expect(output).toContain(`/llms.txt: found the link ${origin}/team.md, ${wanted}`);
	expect(output).toContain(`/sitemap.xml: found the link ${origin}/team, ${wanted}`);
	expect(output.match(/found the link/g)).toHaveLength(3);
});
