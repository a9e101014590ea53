// @ts-check
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildIfChanged } from './build.mjs';
import { install, nodeSuits, OWN_NODE } from './install.mjs';
import { run } from './step.mjs';

/** The scripts of package.json that need more than one command. They are plain JavaScript, for the Node.js that the machine has. */
const scripts = {
	/** Installs what the site needs, builds what has changed, and serves. */
	async start() {
		await install({ development: false });
		if (!nodeSuits()) process.exit(await run(OWN_NODE, process.argv.slice(1), { stdio: 'inherit' }));
		await buildIfChanged('dist');
		await becomeBuilt('entry', ['--local', ...args]);
	},
	/** Installs what development needs. */
	setup: () => install({ development: true }),
	serve: () => becomeBuilt('entry', args),
	leads: () => becomeBuilt('leads', args),
	keys: () => becomeBuilt('keys', args),
	doctor: () => becomeBuilt('doctor', args),
	/** Astro's command line, without telemetry, and with a preview that stays in front. */
	async astro() {
		process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
		process.env['ASTRO_DEV_BACKGROUND'] = '0';
		await become(fileURLToPath(new URL('bin/astro.mjs', import.meta.resolve('astro/package.json'))), args);
	},
};

// npm passes SIGTERM to a shell, and dash ends without passing it on: whoever is left behind ends as well.
if (process.env['npm_lifecycle_event'] && process.platform !== 'win32') {
	const shell = process.ppid;
	const watch = setInterval(() => {
		if (process.ppid === shell) return;
		clearInterval(watch);
		process.kill(process.pid, 'SIGTERM');
	}, 100).unref();
}

const [, , script, ...args] = process.argv;
await scripts[/** @type {keyof typeof scripts} */ (script)]();

/**
 * @param {string} name
 * @param {string[]} args
 */
async function becomeBuilt(name, args) {
	const file = path.resolve(`dist/server/${name}.mjs`);
	if (existsSync(file)) return become(file, args);
	console.error('There is no build yet. Run first: npm run build');
	process.exit(1);
}

/**
 * Goes on as another program in this process, which signals reach as they would reach that.
 *
 * @param {string} file
 * @param {string[]} args
 */
async function become(file, args) {
	process.argv.splice(1, Infinity, file, ...args);
	await import(pathToFileURL(file).href);
}
