// @ts-check
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

/** Files and folders that a build is made of. */
const SOURCES = ['astro.config.mjs', 'package.json', 'package-lock.json', 'content', 'public', 'src'];

/** The file in a build's folder that says what the build was made from. */
export const RECORD = 'built-from.json';

/** @type {(folder: string) => string} Returns the hash of the sources in a folder. The kind of line ends does not count. */
function hashOf(folder) {
	const hash = createHash('sha256');
	for (const file of SOURCES.flatMap((source) => filesAt(`${folder}/${source}`)))
		hash.update(`${file.slice(folder.length)}\0${readFileSync(file, 'latin1').replaceAll('\r\n', '\n')}\0`);
	return hash.digest('hex');
}

/** @type {(place: string) => string[]} */
function filesAt(place) {
	const stats = statSync(place, { throwIfNoEntry: false });
	if (!stats?.isDirectory()) return stats ? [place] : [];
	return readdirSync(place)
		.toSorted()
		.flatMap((name) => filesAt(`${place}/${name}`));
}

/**
 * Returns the version of a build from a folder: the version of its package and the build's id (SemVer 2.0.0, section 10).
 * @type {(folder: string, buildId?: string) => string} The same sources give the same id by default.
 */
export function versionOf(folder, buildId = hashOf(folder).slice(0, 7)) {
	return `${JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).version}+${buildId}`;
}

/** @type {(names: string[]) => string} Returns the inputs of a build: the sources, and the settings of these names. */
export function inputsWith(names) {
	const settings = names.map((name) => {
		const file = process.env[`${name}_FILE`];
		return [name, process.env[name] || (file && existsSync(file) ? readFileSync(file, 'utf8') : '')];
	});
	return JSON.stringify({ sources: hashOf('.'), settings: Object.fromEntries(settings) });
}

/** @type {(outDir: string) => Promise<void>} Builds, unless the folder has a build from the same sources and settings. */
export async function buildIfChanged(outDir) {
	const record = `${outDir}/${RECORD}`;
	const before = existsSync(record) ? readFileSync(record, 'utf8') : '{"settings":{}}';
	if (existsSync('.env')) process.loadEnvFile('.env');
	if (before === inputsWith(Object.keys(JSON.parse(before).settings))) return;
	console.log('Building the site …');
	await run(process.execPath, ['src/scripts/run.mjs', 'astro', 'build', '--outDir', outDir], 'ignore');
}

/** @type {(program: string, args: string[], output?: 'ignore') => Promise<void>} Runs a program. If it fails, so does this process. */
export async function run(program, args, output) {
	const child = spawn(program, args, { stdio: ['inherit', output ?? 'inherit', 'inherit'] });
	for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal));
	const [code] = await once(child, 'close');
	if (code !== 0) process.exit(code ?? 1);
	process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
}
