import { createHash } from 'node:crypto';
import { appendFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { TestProcess } from '../support/process.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const npm = (cwd: string, args: string[], env: Record<string, string> = {}) =>
	new TestProcess(args, { cwd, env: { PORT: '0', ...env }, program: 'npm' });

describe('npm start', () => {
	let copy: Awaited<ReturnType<typeof copyOfProject>>;
	let first: string;
	const start = (env?: Record<string, string>) => npm(copy.at(''), ['start'], env);
	beforeAll(async () => {
		copy = await copyOfProject();
		await cp('package-lock.json', copy.at('package-lock.json'));
		await symlink(path.resolve('node_modules'), copy.at('node_modules'));
		await using running = start();
		await running.printed(/is at http/);
		first = running.output;
		running.signal('SIGTERM');
		await running.exit();
	});
	afterAll(() => copy[Symbol.asyncDispose]());

	test('says what it does in a line a step, with how long it takes so far, and serves what it has built', () => {
		expect(first).toMatch(/^Building the site … \(\d+ s so far\)$[^]*is at http/m);
		expect(first).not.toContain('\r');
	});

	test('builds nothing anew as long as nothing has changed, and takes its server with it when SIGTERM ends it', async () => {
		await using running = start();
		const [, url] = await running.printed(/is at (\S+)/);
		expect(running.output).not.toMatch(/Building|Installing/);
		expect((await fetch(`${url}/api/status`)).status).toBe(200);
		running.signal('SIGTERM');
		await running.exit();
		expect(running.output).toContain('Stopping');
		await expect(fetch(`${url}/api/status`)).rejects.toThrow('fetch failed');
	});

	test('content with the line ends of Windows builds the same bytes', async () => {
		const before = await bytesIn(copy.at('dist/client'));
		for (const file of await filesIn(copy.at('content')))
			await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/\r?\n/g, '\r\n'));
		await using building = npm(copy.at(''), ['run', 'build']);
		expect(await building.exit(), building.output).toBe(0);
		expect(await bytesIn(copy.at('dist/client'))).toEqual(before);
	});

	test.each(['src/site/site.css', 'content/service.yaml', 'package-lock.json', 'public/new.txt'])(
		'builds anew once %s has changed',
		async (file) => {
			const before = await readFile(copy.at(file), 'utf8').catch(() => '');
			await mkdir(path.dirname(copy.at(file)), { recursive: true });
			await appendFile(copy.at(file), '\n');
			await using running = start();
			await running.printed(/Building the site/);
			running.signal('SIGTERM');
			await running.exit();
			await writeFile(copy.at(file), before);
		},
	);

	test.each(['SITE_URL=https://other.example', 'BUILD_ID=7', `BUILD_ID_FILE=${path.resolve('.nvmrc')}`])(
		'builds anew with %s',
		async (setting) => {
			const [name, value] = setting.split('=') as [string, string];
			await using running = start({ [name]: value });
			await running.printed(/Building the site/);
			running.signal('SIGTERM');
			await running.exit();
		},
	);
});

/** Returns the paths of all files in a folder and those in it. */
async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
}

/** Returns a hash of each file in a folder and those in it. */
async function bytesIn(folder: string): Promise<Record<string, string>> {
	const hashes: Record<string, string> = {};
	for (const file of await filesIn(folder))
		hashes[path.relative(folder, file)] = createHash('sha256')
			.update(await readFile(file))
			.digest('hex');
	return hashes;
}

test('npm run serve, ended by SIGTERM, takes its server with it', async () => {
	await using folder = await temporaryFolder();
	for (const part of ['package.json', 'src']) await symlink(path.resolve(part), path.join(folder.path, part));
	await symlink(path.resolve('var/test/dist'), path.join(folder.path, 'dist'));
	await using running = npm(folder.path, ['run', 'serve']);
	const [, url] = await running.printed(/"url":"(.*?)"/);
	running.signal('SIGTERM');
	await running.exit();
	expect(running.output).toContain('Stopping');
	await expect(fetch(`${url}/api/status`)).rejects.toThrow('fetch failed');
});

test('npm start installs what the site needs and nothing else, and leaves alone what is there for development', async () => {
	await using folder = await temporaryFolder();
	const at = (file: string) => path.join(folder.path, file);
	const installed = async () => (await readdir(at('node_modules'))).filter((name) => !name.startsWith('.'));
	await cp('src/scripts', at('src/scripts'), { recursive: true });
	for (const name of ['site', 'tool', 'later']) {
		await mkdir(at(`packages/${name}`), { recursive: true });
		await writeFile(at(`packages/${name}/package.json`), JSON.stringify({ name, version: '1.0.0' }));
		await using packing = npm(at(`packages/${name}`), ['pack']);
		expect(await packing.exit(), packing.output).toBe(0);
	}
	const packed = (name: string) => ({ [name]: `file:packages/${name}/${name}-1.0.0.tgz` });
	const lockWith = async (dependencies: Record<string, string>) => {
		const project = { name: 'website', scripts: manifest.scripts, dependencies, devDependencies: packed('tool') };
		await writeFile(at('package.json'), JSON.stringify(project));
		await using locking = npm(folder.path, ['install', '--package-lock-only']);
		expect(await locking.exit(), locking.output).toBe(0);
	};
	// There is nothing to build: it ends after the installation.
	const installing = async (script: string) => {
		await using running = npm(folder.path, ['run', script]);
		await running.exit();
		return running.output.includes('Installing packages');
	};
	await lockWith(packed('site'));
	expect(await installing('start')).toBe(true);
	expect(await installed()).toEqual(['site']);
	expect(await installing('start')).toBe(false);
	await installing('setup');
	expect(await installed()).toEqual(['site', 'tool']);
	await lockWith({ ...packed('site'), ...packed('later') });
	expect(await installing('start')).toBe(true);
	expect(await installed()).toEqual(['later', 'site', 'tool']);
});
