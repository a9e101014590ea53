import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { startKeyKeeping, testWhereIssued as test } from '../support/key-keeping.ts';
import { runCommand } from '../support/operator-command.ts';

test('list shows each key with what it may and how it stands, newest first, and whose it is', async () => {
	await using keeping = await startKeyKeeping();
	expect((await keeping.keys('list')).stdout).toContain('There are no API keys yet.');
	const [old, fresh] = [await keeping.issue('--scopes', 'contact:write', '--expires', '2y'), await keeping.issue()];
	await keeping.keys('revoke', fresh.id, '--yes');
	await keeping.inStore((store) => store.keys.used(old.id, '2026-11-20'));
	const { stdout } = await keeping.keys('list');
	const rows = [
		`^${fresh.id} +ended on .* +${Object.keys(service.scopes).join()} +200/10m +.* +never +0$`,
		`^${old.id} +works, ends on \\d+ \\w{3} \\d{4} +contact:write +200/10m +.* +2026-11-20 +0$`,
	];
	expect(stdout).toMatch(new RegExp(rows.join('\\n  Ana Ruiz <ana@clinicasol\\.example>\\n'), 'm'));
	const { keys } = JSON.parse((await keeping.keys('list', '--json')).stdout) as { keys: object[] };
	expect(keys).toMatchObject([
		{ id: fresh.id, works: false },
		{ id: old.id, works: true },
	]);
});

test('a key whose row is broken is listed as such and does not work, and the others are as they were', async () => {
	await using keeping = await startKeyKeeping();
	const [broken, well] = [await keeping.issue(), await keeping.issue()];
	keeping.spoil(broken.id);
	const { code, stdout } = await keeping.keys('list');
	expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${broken.id} +cannot be read `, 'm'))]);
	expect(stdout).toMatch(new RegExp(`^${well.id} +works, .*\n  Ana Ruiz`, 'm'));
	expect(await keeping.shown(broken.id)).toMatchObject({ id: broken.id, works: false });
	expect(await keeping.keys('revoke', broken.id, '--yes')).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^Key .* cannot be read, so /),
	});
});

test('revoke asks first, and where nobody can be asked it wants --yes', async () => {
	await using keeping = await startKeyKeeping();
	const { id } = await keeping.issue();
	expect(await keeping.keys('revoke', id)).toMatchObject({ code: 2, stderr: expect.stringContaining(`revoke ${id} --yes`) });
	expect(atTerminal(['revoke', id], 'n\n', keeping.env)).toMatch(/End key .* for good\? \[y\/N\].*Nothing was done\./s);
	expect(await keeping.shown(id)).toMatchObject({ works: true });
	const { code, stdout } = await keeping.keys('revoke', id, '--yes');
	expect([code, stdout]).toEqual([0, expect.stringContaining('Within a minute every instance refuses it.')]);
	expect(await keeping.shown(id)).toMatchObject({ works: false });
	expect(await keeping.keys('revoke', id, '--yes')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('nothing to revoke'),
	});
});

test.each([
	[[], 'issue'],
	[['lsit'], 'Did you mean list?'],
	[['revoke'], `missing required argument 'ID'`],
	[['list', 'more'], `too many arguments for 'list'`],
	[['list', '--test'], `unknown option '--test'`],
])('called as %j it exits with 2 and says what is right', async (args, said) => {
	await using keeping = await startKeyKeeping();
	const { code, stdout, stderr } = await keeping.keys(...args);
	expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)]);
	expect(stderr).not.toContain('    at ');
});

test.each([[['revoke', '0000', '--yes']], [['issue', '--for', '0000']]])(
	'%j matches nothing and exits with 1, for programs with a reason',
	async (args) => {
		await using keeping = await startKeyKeeping();
		expect(await keeping.keys(...args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^There is no /) });
		expect(JSON.parse((await keeping.keys(...args, '--json')).stdout)).toEqual({ error: expect.any(String) });
	},
);

test('where an id is wanted a key is not taken, and not printed', async () => {
	await using keeping = await startKeyKeeping();
	const { key } = await keeping.issue();
	const { code, stderr } = await keeping.keys('revoke', key, '--yes');
	expect([code, stderr]).toEqual([1, expect.stringMatching(/^That is no id/)]);
	expect(stderr).not.toContain(key);
});

test.each([[['issue', '--name', 'Ana Ruiz', '--email', 'ana@clinicasol.example']], [['list']], [['revoke', 'abc', '--yes']]])(
	'with LEAD_STORE=none %j says that none are kept',
	async (args) => {
		const { code, stderr } = await runCommand('keys', args, { env: { LEAD_STORE: 'none' } });
		expect([code, stderr]).toEqual([1, expect.stringMatching(/^LEAD_STORE is none, so neither leads nor API keys are kept\.$/m)]);
	},
);

/** Returns the command's output to somebody at a terminal who types this. */
function atTerminal(args: string[], input: string, env: Record<string, string>): string {
	const terminal = 'data:text/javascript,process.stdin.isTTY = true';
	const { stdout, stderr } = spawnSync(process.execPath, ['--import', terminal, 'var/test/dist/server/keys.mjs', ...args], {
		input,
		env,
		encoding: 'utf8',
	});
	return stderr + stdout;
}
