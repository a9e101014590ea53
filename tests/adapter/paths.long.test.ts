import { expect, test } from 'vitest';
import { origin } from '../../src/facts/load.ts';
import { copyOfProject } from '../support/project-copy.ts';

test('rows of the table of documents with the path of another document or of a page, and wrong scopes, stop the build', async () => {
	await using copy = await copyOfProject();
	const rows = ['/robots.txt', '/docs', '/docs/api.md'].map(
		(path) => `{ path: '${path}', purpose: 'Who made it.', mediaType: plain, build: robotsTxt },`,
	);
	await copy.edit('src/discovery/documents.ts', 'documents: Document[] = [', `$&${rows.join('')}`);
	await copy.edit('content/service.yaml', '  status:read:', '  status:raed:');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toContain(`src/discovery/documents.ts: found '/robots.txt' twice, wanted each path once.
src/discovery/documents.ts: found '/docs', which a page has, wanted another path.
src/discovery/documents.ts: found '/docs/api.md', which a page has, wanted another path.
content/service.yaml scopes: found contact:write, status:raed, wanted the scopes of the operations: contact:write, status:read.`);
});

test('a document for programs that leads to where nothing is stops the build', async () => {
	await using copy = await copyOfProject();
	await copy.edit(
		'src/discovery/pages.ts',
		'paths.contact, contactEntry)),',
		"$&\n...(await translatedPages('/team', contactEntry)),",
	);
	await copy.edit(
		'content/auth.md',
		'## Discover',
		'<{{origin}}/nowhere?a=b>, [x](/nowhere/else), [y](/docs#z), `[z](/no)`, and {{origin}}.\n\n1. x\n\n   ```md\n   [z](/no)\n   ```\n\n- ```md\n  [z](/no)\n  ```\n\n> ```md\n> [z](/no)\n> ```\n\nAnd {{origin}}.\n\n$&',
	);
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	const wanted = 'wanted an address at which something is published: write its page';
	expect(output).toContain(`/auth.md: found the link ${origin}/nowhere?a=b, ${wanted}`);
	expect(output).toContain(`/auth.md: found the link ${origin}/nowhere/else, ${wanted}`);
	expect(output).toContain(`/llms.txt: found the link ${origin}/team.md, ${wanted}`);
	expect(output).toContain(`/sitemap.xml: found the link ${origin}/team, ${wanted}`);
	expect(output.match(/found the link/g)).toHaveLength(4);
});

test('files of public/ with the address of a document, of Markdown, of the API or of the settings of a host stop the build', async () => {
	await using copy = await copyOfProject();
	const files = ['.well-known/security.txt', '_headers', 'api/status', 'contact.md', 'favicon.svg', 'robots.txt'];
	for (const file of files) await copy.write(`public/${file}`, 'x');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	const told = files.map((file) => `public/${file}: found an address of our own or of a host, wanted another name.`);
	expect(output).toContain(told.join('\n'));
});
