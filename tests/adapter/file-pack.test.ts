import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packFiles } from '../../src/adapter/file-pack.ts';
import { origin } from '../../src/facts/load.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('files of public/ with the address of a document, of the API or of the settings of a host stop the build', async () => {
	await using folder = await temporaryFolder();
	const [publicDir, client] = ['public', 'client'].map((name) => pathToFileURL(path.join(folder.path, name, '/')));
	const ofHosts = ['.assetsignore', '_headers', '_redirects', '_routes.json', '_worker.js'];
	const files = [...ofHosts, '.well-known/security.txt', 'api/status', 'contact.md', 'fine.txt'].toSorted();
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
