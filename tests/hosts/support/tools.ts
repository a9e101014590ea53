import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const [wanted, installed] = ['tests/hosts', path.resolve('var/hosts')];

/** Returns the path of a file in the hosts' packages. */
export const tool = (file: string) => path.join(installed, 'node_modules', file);

/** Installs the packages that `package.json` here pins, unless they exist. None of them may run a script. */
export default function install(): void {
	if (isThere()) return;
	console.log('Installing the runtimes of hosts: 600 MB, a minute …');
	mkdirSync(installed, { recursive: true });
	for (const file of ['package.json', 'package-lock.json']) copyFileSync(`${wanted}/${file}`, `${installed}/${file}`);
	execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: installed, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Returns whether npm has finished: it writes that file last. */
function isThere(): boolean {
	const lock = `${wanted}/package-lock.json`;
	return existsSync(tool('.package-lock.json')) && readFileSync(lock).equals(readFileSync(`${installed}/package-lock.json`));
}
