import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { OLDEST_NODE } from '../../src/programs/node-version.ts';

test.each(Object.entries(manifest.scripts))('npm run %s needs no POSIX shell', async (_, script) => {
	const programs = new Set(['npm', ...(await readdir('node_modules/.bin'))]);
	for (const command of script.split(' && ')) {
		expect(programs).toContain(command.split(' ')[0]);
		expect(command).toMatch(/^[\w ./:=*@"-]+$/);
	}
});

test('package, .nvmrc, README and the built programs agree on which Node.js is needed', async () => {
	const own = (await readFile('.nvmrc', 'utf8')).trim();
	const oldest = OLDEST_NODE.replace(/\.0$/, '');
	const needed = manifest.engines.node.replace('>=', '');
	expect(manifest.dependencies.node.split('.')[0]).toBe(own);
	expect(await readFile('README.md', 'utf8')).toContain(
		`You need npm and Node ${needed} or newer. The built server runs on Node ${oldest} or newer; if yours is older, the project brings its own Node ${own}.`,
	);
});

test('no package runs a script of its own at its installation, but for those that are named', async () => {
	const withScript = Object.entries(lock.packages).filter(([, about]) => 'hasInstallScript' in about);
	const names = new Set(withScript.map(([path]) => path.replace(/^.*node_modules\//, '')));
	// npm 11 and later use this list. Somebody has to decide on each package that it neither allows nor denies.
	expect(Object.keys(manifest.allowScripts).toSorted()).toEqual([...names].toSorted());
	// Every npm obeys this setting. It runs the scripts of rebuilt packages only: src/scripts/install.mjs names them.
	expect(await readFile('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m);
	const allowed = Object.entries(manifest.allowScripts).filter(([, allows]) => allows);
	expect(allowed.map(([name]) => name)).toEqual(['node']);
	// With this setting npm runs no script before or after another either.
	expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)/.test(name))).toEqual([]);
});
