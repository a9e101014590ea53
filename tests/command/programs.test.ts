import { cp, readFile } from 'node:fs/promises';
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
		await cp('var/test/dist', folder.path, { recursive: true });
		const options = { env: { LEAD_STORE: 'wrong' }, cwd: folder.path };
		await using command = new TestProcess([`server/${name}.mjs`, '--help'], options);
		await command.printed(usage);
		expect(await command.exit()).toBe(0);
	});

	test('before a build says what to run first', async () => {
		await using folder = await temporaryFolder();
		const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
		const options = { cwd: folder.path, program: 'sh' };
		await using command = new TestProcess(['-c', `${scripts[name]} list`], options);
		await command.printed(/Run first: npm run build/);
		expect(await command.exit()).toBe(1);
	});
});
