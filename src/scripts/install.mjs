// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { step } from './step.mjs';

/** The program of the npm package `node`. A script of that package brings it, which no installation runs (.npmrc). */
export const OWN_NODE = path.resolve('node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Whether this Node.js can run what is built: as from 22.13, it has SQLite. */
export const nodeSuits = () => isBuiltin('node:sqlite');

/**
 * Installs what package-lock.json names and is missing: what the site needs, and for development the rest, with the Node.js that the
 * tests are written for. Packages for development that are there already stay.
 *
 * @param {{ development: boolean }} purpose
 */
export async function install({ development }) {
	/** @type {[folder: string, about: { version: string; dev?: boolean; optional?: boolean; devOptional?: boolean }][]} */
	const packages = Object.entries(read('package-lock.json').packages);
	const all = development || packages.some(([folder, { dev }]) => dev && existsSync(folder));
	const isInstalled = packages.every(
		([folder, { version, dev, optional, devOptional }]) =>
			folder === '' || optional || devOptional || (dev && !all) || read(`${folder}/package.json`)?.version === version,
	);
	if (!isInstalled) await npm('Installing packages', 'install', '--no-save', all ? '--include=dev' : '--omit=dev');
	if ((development || !nodeSuits()) && !existsSync(OWN_NODE))
		await npm('Installing Node.js', 'rebuild', 'node', '--ignore-scripts=false');
}

/** @param {string} file */
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/**
 * @param {string} name
 * @param {string[]} args
 */
const npm = (name, ...args) => step(name, [String(process.env['npm_execpath']), ...args]);
