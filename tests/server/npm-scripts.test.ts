import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { TestProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The project with its scripts, built already: what they set up and build is left out, how they start the server is not. */
async function builtProject() {
	const folder = await temporaryFolder();
	const scripts = { ...manifest.scripts, setup: 'true', build: 'true' };
	await writeFile(path.join(folder.path, 'package.json'), JSON.stringify({ ...manifest, scripts }));
	await symlink(path.resolve('var/test/dist'), path.join(folder.path, 'dist'));
	return folder;
}

test.each([
	['start', /is at (\S+)/],
	['serve', /"url":"(.*?)"/],
] as const)('npm run %s, ended by SIGTERM, takes its server with it, which ends well', async (script, ready) => {
	await using folder = await builtProject();
	const options = { env: { PORT: '0' }, cwd: folder.path, program: 'npm' };
	await using npm = new TestProcess(['run', script], options);
	const [, url] = await npm.printed(ready);
	expect((await fetch(`${url}/api/status`)).status).toBe(200);
	npm.signal('SIGTERM');
	await npm.printed(/Stopping/);
	expect(await npm.exit()).toBe(0);
	await expect(fetch(`${url}/api/status`)).rejects.toThrow('fetch failed');
});

test('no package runs a script of its own at its installation, but for those that are named', async () => {
	const withScript = Object.entries(lock.packages).filter(([, about]) => 'hasInstallScript' in about);
	const names = new Set(withScript.map(([path]) => path.replace(/^.*node_modules\//, '')));
	// npm from version 11 on goes by this list; what is neither allowed nor denied there somebody has to look at.
	expect(Object.keys(manifest.allowScripts).toSorted()).toEqual([...names].toSorted());
	// Every npm goes by that, and then runs the scripts of those that are rebuilt.
	expect(await readFile('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m);
	const [, rebuilt = ''] = /npm rebuild (.*) --ignore-scripts=false/.exec(manifest.scripts.setup)!;
	const allowed = Object.entries(manifest.allowScripts).filter(([, allows]) => allows);
	expect(rebuilt.split(' ')).toEqual(allowed.map(([name]) => name));
	// npm then runs no script before or after another either.
	expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)/.test(name))).toEqual([]);
});
