// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { step } from './step.mjs';

/** Files and folders that a build is made of. */
const SOURCES = ['astro.config.mjs', 'package.json', 'package-lock.json', 'content', 'public', 'src'];

/** In the folder of a build: what it was made from. */
const RECORD = 'built-from.json';

/**
 * The hash of the sources in a folder. It is the same on every system, whatever that puts between folders and at the end of a line.
 *
 * @param {string} folder
 */
export function hashOf(folder) {
	const hash = createHash('sha256');
	for (const file of SOURCES.flatMap((source) => filesIn(folder, source)))
		hash.update(`${file}\0${readFileSync(path.join(folder, file), 'latin1').replaceAll('\r\n', '\n')}\0`);
	return hash.digest('hex');
}

/**
 * @param {string} folder
 * @param {string} source
 * @returns {string[]} paths from the folder, with slashes
 */
function filesIn(folder, source) {
	const stats = statSync(path.join(folder, source), { throwIfNoEntry: false });
	if (!stats?.isDirectory()) return stats ? [source] : [];
	return readdirSync(path.join(folder, source))
		.toSorted()
		.flatMap((name) => filesIn(folder, `${source}/${name}`));
}

/**
 * An integration of Astro that writes down, beside the build, what that was made from.
 *
 * @param {string[]} settings the variables that a build reads
 * @returns {import('astro').AstroIntegration}
 */
export function recordInputs(settings) {
	/** @type {URL} */
	let record;
	/** @type {string} */
	let inputs;
	return {
		name: 'record-inputs',
		hooks: {
			'astro:config:done': ({ config }) => {
				record = new URL(RECORD, config.outDir);
			},
			'astro:build:start': () => {
				rmSync(record, { force: true });
				inputs = inputsWith(settings);
			},
			'astro:build:done': () => writeFileSync(record, inputs),
		},
	};
}

/**
 * Builds, unless the build that is there was made from the same sources and settings.
 *
 * @param {string} outDir
 */
export async function buildIfChanged(outDir) {
	if (!isCurrent(path.join(outDir, RECORD)))
		await step('Building the site', ['src/scripts/run.mjs', 'astro', 'build', '--outDir', outDir]);
}

/** @param {string} record */
function isCurrent(record) {
	if (!statSync(record, { throwIfNoEntry: false })) return false;
	if (statSync('.env', { throwIfNoEntry: false })) process.loadEnvFile('.env');
	const before = readFileSync(record, 'utf8');
	return before === inputsWith(Object.keys(JSON.parse(before).settings));
}

/** @param {string[]} names of settings */
function inputsWith(names) {
	const settings = Object.fromEntries(names.map((name) => [name, valueOf(name)]));
	return JSON.stringify({ sources: hashOf('.'), settings });
}

/** @param {string} name of a setting, which `NAME_FILE` may give too */
function valueOf(name) {
	const file = process.env[`${name}_FILE`];
	return process.env[name] || (file && existsSync(file) ? readFileSync(file, 'utf8') : '');
}
