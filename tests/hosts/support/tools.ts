import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../../src/scripts/build.mjs';

const [wanted, installed] = ['tests/hosts', path.resolve('var/hosts')];

/** Returns the path of a file in the hosts' packages. */
export const tool = (file: string) => path.join(installed, 'node_modules', file);

/** Installs the packages that `package.json` here pins, unless they exist. None of them may run a script. */
export default async function install(): Promise<void> {
	const lockIn = (folder: string) => readFileSync(`${folder}/package-lock.json`, 'utf8');
	// npm writes this file when it has finished.
	if (existsSync(tool('.package-lock.json')) && lockIn(wanted) === lockIn(installed)) return;
	mkdirSync(installed, { recursive: true });
	for (const file of ['package.json', 'package-lock.json']) copyFileSync(`${wanted}/${file}`, `${installed}/${file}`);
	const npm = String(process.env['npm_execpath']);
	console.log('Installing the runtimes of hosts: 600 MB');
	await run(process.execPath, [npm, 'ci', '--ignore-scripts', '--prefix', installed]);
}
