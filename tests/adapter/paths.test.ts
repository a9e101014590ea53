import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packFiles } from '../../src/adapter/file-pack.ts';
import { checkLinks, checkPaths } from '../../src/adapter/paths.ts';
import { checkDocuments } from '../../src/discovery/documents.ts';
import { paths } from '../../src/facts/links.ts';
import { origin, service } from '../../src/facts/load.ts';
import { collectMistakes } from '../../src/facts/mistake.ts';
import type { Manifest } from '../../src/server/manifest.ts';
import { issued } from '../discovery/published.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function messagesOf(check: () => void): string[] {
	const messages: string[] = [];
	collectMistakes(messages, check);
	return messages;
}

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

test('rows of the table of documents with the path of another document or of a page, and wrong scopes, stop the build', () => {
	const { documents, pages } = issued;
	const check = (added: (typeof documents)[number]['path'][], scopes = Object.keys(service.scopes)) =>
		checkDocuments([...documents, ...added.map((path) => ({ path, purpose: 'x' }))], pages, scopes);
	expect(() => check([])).not.toThrow();
	expect(messagesOf(() => check(['/robots.txt', '/docs', '/docs.md'], ['status:raed', 'contact:write']))).toEqual([
		"src/discovery/documents.ts: found '/robots.txt' twice, wanted each path once.",
		"src/discovery/documents.ts: found '/docs', which a page has, wanted another path.",
		"src/discovery/documents.ts: found '/docs.md', which a page has, wanted another path.",
		'content/service.yaml scopes: found contact:write, status:raed, wanted the scopes of the operations: contact:write, status:read.',
	]);
});

test('a document for programs that leads to where nothing is stops the build', () => {
	const built = (file: string) => readFileSync(`var/test/dist/client/${file}`, 'utf8');
	expect(() => checkLinks(manifest, origin, built)).not.toThrow();
	const code = [
		'`[z](/no)`',
		'1. x\n\n   ```md\n   [z](/no)\n   ```',
		'- ```md\n  [z](/no)\n  ```',
		'> ```md\n> [z](/no)\n> ```',
	];
	const texts: Record<string, string> = {
		'auth.md': [`<${origin}/nowhere?a=b>, [x](/nowhere/else), [y](/docs#z), ${origin}.`, ...code, `${origin}.`].join('\n\n'),
		'sitemap.xml': `<loc>${origin}/team</loc><loc>${origin}/docs</loc>`,
		'docs.html': '<a href="/no">',
	};
	const dead = [`/auth.md: found the link ${origin}/nowhere?a=b`, `/auth.md: found the link ${origin}/nowhere/else`];
	dead.push(`/sitemap.xml: found the link ${origin}/team`);
	const messages = messagesOf(() => checkLinks(manifest, origin, (file) => texts[file] ?? built(file)));
	expect(messages.map((message) => message.replace(/, wanted .*/, ''))).toEqual(dead);
});

test('files of public/ with the address of a document, of the API or of the settings of a host stop the build', async () => {
	await using folder = await temporaryFolder();
	const [publicDir, client] = ['public', 'client'].map((name) => pathToFileURL(path.join(folder.path, name, '/')));
	const files = ['.well-known/security.txt', '_headers', 'api/status', 'contact.md', 'fine.txt'];
	for (const file of files)
		for (const parent of ['public', 'client']) {
			await mkdir(path.join(folder.path, parent, path.dirname(file)), { recursive: true });
			await writeFile(path.join(folder.path, parent, file), 'x');
		}
	const declared = new Map(['/.well-known/security.txt', '/contact.md'].map((address) => [address, new Headers()]));
	const packed = packFiles({ publicDir: publicDir!, client: client!, server: client!, origin, declared });
	const told = files.slice(0, -1).map((file) => `public/${file}: found an address of our own or of a host, wanted another name.`);
	await expect(packed).rejects.toMatchObject({ messages: told });
});
