import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { versionOf } from '../../src/scripts/build.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the same sources have the same version, in any folder, others have another, and a build that was given a name has that', async () => {
	await using folder = await temporaryFolder();
	for (const part of ['package.json', 'package-lock.json', 'astro.config.mjs', 'content', 'src'])
		await cp(part, path.join(folder.path, part), { recursive: true });
	const version = versionOf(folder.path);
	expect(version).toMatch(/^\d+\.\d+\.\d+\+[\da-f]{7}$/);
	await writeFile(path.join(folder.path, 'README.md'), 'nothing that is built');
	expect(versionOf(folder.path)).toBe(version);
	await writeFile(path.join(folder.path, 'content/auth.mdx'), 'something that is');
	expect(versionOf(folder.path)).not.toBe(version);
	expect(versionOf('.', 'release-7')).toMatch(/^\d+\.\d+\.\d+\+release-7$/);
});
