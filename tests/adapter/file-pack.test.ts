import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packFiles } from '../../src/adapter/file-pack.ts';
import { origin } from '../../src/facts/load.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const declared = new Map(['/.well-known/security.txt', '/contact.md'].map((address) => [address, new Headers()]));

async function pack(files: string[]) {
	await using folder = await temporaryFolder();
	const [publicDir, client] = ['public', 'client'].map((name) => pathToFileURL(path.join(folder.path, name, '/')));
	for (const file of files)
		for (const parent of ['public', 'client']) {
			await mkdir(path.join(folder.path, parent, path.dirname(file)), { recursive: true });
			await writeFile(path.join(folder.path, parent, file), 'x');
		}
	const warnings: string[] = [];
	const logger = { warn: (text: string) => void warnings.push(text) };
	const manifest = await packFiles({ publicDir: publicDir!, client: client!, server: client!, origin, declared, logger });
	return { warnings, paths: Object.keys(manifest), left: await readdir(client!, { recursive: true }) };
}

test('files of public/ with the address of a document, of the API or of the settings of a host stop the build', async () => {
	const ofHosts = ['_headers', '_redirects', '_routes.json', '_worker.js'];
	const files = [...ofHosts, '.well-known/security.txt', 'api/status', 'contact.md'].toSorted();
	const told = files.map((file) => `public/${file}: found an address of our own or of a host, wanted another name.`);
	await expect(pack([...files, 'fine.txt'])).rejects.toMatchObject({ messages: told });
});

test('files whose name, or whose folder’s, begins with a dot are left out by their names, but what is below .well-known; all others keep theirs, HTML too', async () => {
	const ofSystems = ['.DS_Store', '.assetsignore', '.env', '.git/config'];
	const hidden = [...ofSystems, '.well-known/.DS_Store', '.well-knowns', 'a/.env', 'a/.well-known/b'];
	const { warnings, paths, left } = await pack([...hidden, '.well-known/assetlinks.json', 'a/b.html']);
	expect(warnings.map((warning) => /^public\/(\S+) is not published/.exec(warning)?.[1])).toEqual(hidden.toSorted());
	expect(paths).toEqual(['/.well-known/assetlinks.json', '/a/b.html']);
	expect(left.filter((file) => hidden.includes(file))).toEqual([]);
});
