import { cp, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TestProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe.each([
	['doctor', /Usage: node server\/doctor\.mjs .*<ORIGIN>/],
	['keys', /Usage: node server\/keys\.mjs .*\[command\]/],
	['leads', /Usage: node server\/leads\.mjs .*\[command\]/],
])('npm run %s', (name, usage) => {
	test('has help that needs no settings, and runs from a copy of the build with Node alone', async () => {
		await using folder = await temporaryFolder();
		await cp('var/test/dist/server', path.join(folder.path, 'server'), { recursive: true });
		const options = { env: { LEAD_STORE: 'wrong' }, cwd: folder.path };
		await using command = new TestProcess([`server/${name}.mjs`, '--help'], options);
		expect(await command.exit()).toBe(0);
		expect(command.output).toMatch(usage);
	});

	test('before a build says what to run first', async () => {
		await using folder = await temporaryFolder();
		for (const part of ['package.json', 'src']) await symlink(path.resolve(part), path.join(folder.path, part));
		await using command = new TestProcess(['run', name, '--', 'list'], { cwd: folder.path, program: 'npm' });
		expect(await command.exit()).toBe(1);
		expect(command.output).toContain('yet. Run first: npm run build');
	});
});
