import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { service } from '../../../src/facts/load.ts';
import { publicTestKey } from '../../../src/keys/key.ts';
import { startKeyKeeping } from '../../support/key-keeping.ts';
import { runCommand } from '../../support/operator-command.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { testWhereIssued as test } from '../../support/where-issued.ts';

const day = (time: unknown) => Date.parse(time as string) / 86_400_000;

test('list shows each key with what it may and how it stands, newest first, and whose it is', async () => {
	await using keeping = await startKeyKeeping();
	expect((await keeping.keys('list')).stdout).toContain('There are no API keys yet.');
	const [old, fresh] = [await keeping.issue('--scopes', 'contact:write', '--expires', '2y'), await keeping.issue('--test')];
	await keeping.keys('revoke', fresh.id, '--yes');
	await keeping.inStore((store) => store.keys.used(old.id, '2026-11-20'));
	const { stdout } = await keeping.keys('list');
	const rows = [
		`^${fresh.id} +test +ended on .* +${Object.keys(service.scopes).join()} +200/10m +.* +never +0$`,
		`^${old.id} +live +works, ends on \\d+ \\w{3} \\d{4} +contact:write +200/10m +.* +2026-11-20 +0$`,
	];
	expect(stdout).toMatch(new RegExp(rows.join('\\n  Ana Ruiz <ana@clinicasol\\.example>\\n'), 'm'));
	const { keys } = JSON.parse((await keeping.keys('list', '--json')).stdout) as { keys: object[] };
	expect(keys).toMatchObject([
		{ id: fresh.id, works: false },
		{ id: old.id, works: true },
	]);
});

test('show tells all that is kept of a key, by the beginning of its id', async () => {
	await using keeping = await startKeyKeeping();
	const { id } = await keeping.issue();
	const { stdout } = await keeping.keys('show', id.slice(0, 6).toUpperCase());
	expect(stdout).toMatch(
		new RegExp(`^key ${id}\nworks, ends on \\d+ \\w{3} \\d{4}\n\nOwner +Ana Ruiz <ana@clinicasol\\.example>\n`),
	);
	for (const row of [/^Made +2.* UTC$/m, /^Expires +2.* UTC$/m, /^Last used +never$/m, /^Leads sent +0$/m])
		expect(stdout).toMatch(row);
});

test('a key whose row is broken is listed as such and does not work, and the others are as they were', async () => {
	await using keeping = await startKeyKeeping();
	const [broken, well] = [await keeping.issue(), await keeping.issue()];
	keeping.spoil(broken.id);
	const { code, stdout } = await keeping.keys('list');
	expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${broken.id} +live +cannot be read `, 'm'))]);
	expect(stdout).toMatch(new RegExp(`^${well.id} +live +works, .*\n  Ana Ruiz`, 'm'));
	expect(await keeping.keys('show', broken.id)).toMatchObject({ code: 0, stdout: `key ${broken.id}\ncannot be read\n` });
	expect(await keeping.shown(broken.id)).toMatchObject({ id: broken.id, works: false });
	expect(await keeping.check(broken.key)).toMatchObject({ code: 1, stdout: expect.stringContaining('It does not work.') });
	for (const args of [
		['rotate', broken.id],
		['revoke', broken.id, '--yes'],
	])
		expect(await keeping.keys(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Key .* cannot be read, so /) });
});

test('of several who rotate a key at the same time one makes another, and the others are told', async () => {
	await using keeping = await startKeyKeeping();
	const { id } = await keeping.issue();
	const rotations = await Promise.all(Array.from({ length: 4 }, () => keeping.keys('rotate', id, '--overlap', '0')));
	expect(rotations.map(({ code }) => code).toSorted()).toEqual([0, 1, 1, 1]);
	expect(await keeping.count()).toBe(2);
});

test('rotate makes a key like the old one, for as long, and lets the old one end after the overlap', async () => {
	await using keeping = await startKeyKeeping();
	const old = await keeping.issue('--test', '--scopes', 'status:read', '--limit', '3/1h', '--expires', '30d');
	const { code, stdout } = await keeping.keys('rotate', old.id, '--json');
	const fresh = JSON.parse(stdout) as { id: string; key: string; reply: string };
	expect(code).toBe(0);
	expect(fresh.reply).toMatch(new RegExp(`takes the place of your key ${old.id}, which works until .* UTC\\.`));
	const [before, after] = [await keeping.shown(old.id), await keeping.shown(fresh.id)];
	const { owner, scopes, limit, test: forTests } = before;
	expect(after).toMatchObject({ owner, scopes, limit, test: forTests, works: true });
	expect(day(after['endsAt']) - day(after['madeAt'])).toBe(30);
	expect(day(before['endsAt']) - day(after['madeAt'])).toBeCloseTo(7, 2);
	const again = JSON.parse((await keeping.keys('rotate', old.id, '--json')).stdout) as { id: string };
	const { madeAt, endsAt } = await keeping.shown(again.id);
	expect(day(endsAt) - day(madeAt)).toBe(30);
});

test('rotate --overlap 0 ends the old key at once, and --send mails the new one', async () => {
	await using smtp = await startSmtpServer();
	await using keeping = await startKeyKeeping(smtp.settings);
	const { id } = await keeping.issue();
	expect((await keeping.keys('rotate', id, '--overlap', '0', '--send')).code).toBe(0);
	expect(smtp.mails[0]!.parsed.text!.replaceAll('\n', ' ')).toContain(`${id}, which does not work any more`);
	expect(await keeping.shown(id)).toMatchObject({ works: false });
	expect(await keeping.keys('rotate', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing to rotate') });
});

test('an overlap lets no key work longer than it would have', async () => {
	await using keeping = await startKeyKeeping();
	const { id } = await keeping.issue('--expires', '1h');
	const { endsAt } = await keeping.shown(id);
	await keeping.keys('rotate', id, '--overlap', '2d');
	expect(await keeping.shown(id)).toMatchObject({ endsAt });
});

test('revoke asks first, and where nobody can be asked it wants --yes', async () => {
	await using keeping = await startKeyKeeping();
	const { id } = await keeping.issue();
	expect(await keeping.keys('revoke', id)).toMatchObject({ code: 2, stderr: expect.stringContaining(`revoke ${id} --yes`) });
	expect(atTerminal(['revoke', id], 'n\n', keeping.env)).toMatch(/End key .* for good\? \[y\/N\].*No key was revoked\./s);
	expect(await keeping.shown(id)).toMatchObject({ works: true });
	const { code, stdout } = await keeping.keys('revoke', id, '--yes');
	expect([code, stdout]).toEqual([0, expect.stringContaining('Within a minute every instance refuses it.')]);
	expect((await keeping.keys('show', id)).stdout).toMatch(/\nended on .*\n[^]*^Ended +2.* UTC$/m);
	expect(await keeping.keys('revoke', id, '--yes')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('nothing to revoke'),
	});
});

test('check tells of a key from standard input whose it is and whether it works', async () => {
	await using keeping = await startKeyKeeping();
	const { id, key } = await keeping.issue();
	const well = await keeping.check(`${key}\n`);
	expect([well.code, well.stdout]).toEqual([0, expect.stringMatching(`^It works\\.\n\nkey ${id}\n[^]*Ana Ruiz[^]*revoke ${id}`)]);
	await keeping.keys('revoke', id, '--yes');
	const ill = await keeping.check(key, '--json');
	expect([ill.code, JSON.parse(ill.stdout)]).toEqual([1, expect.objectContaining({ id, works: false })]);
	expect((await keeping.check(key)).stdout).toMatch(/^It does not work\.\n\nkey [^]*ended on/);
	expect(well.stdout + ill.stdout).not.toContain(key);
});

test('check says why a key that is mistyped, or of another store, does not work', async () => {
	await using keeping = await startKeyKeeping();
	await using other = await startKeyKeeping();
	const { key } = await other.issue();
	expect(await keeping.check(key)).toMatchObject({ code: 1, stderr: expect.stringContaining('no such key is kept') });
	expect(await keeping.check(`${key}x`)).toMatchObject({ code: 1, stderr: expect.stringContaining('mistyped') });
	expect(await keeping.check('')).toMatchObject({ code: 2, stderr: expect.stringContaining('check < FILE') });
});

test('check finds a key in the middle of what it leaked in', async () => {
	await using keeping = await startKeyKeeping();
	const { key, id } = await keeping.issue();
	const { code, stdout } = await keeping.check(`curl -H 'Authorization: Bearer ${key}' …`);
	expect([code, stdout]).toEqual([0, expect.stringContaining(id)]);
});

test('check knows the public test key', async () => {
	await using keeping = await startKeyKeeping();
	const { code, stdout } = await keeping.check(publicTestKey);
	expect([code, stdout]).toEqual([0, expect.stringContaining('It is the public test key, and works')]);
});

test('check at a terminal says what it waits for', async () => {
	await using keeping = await startKeyKeeping();
	const { key } = await keeping.issue();
	expect(atTerminal(['check'], `${key}\n`, keeping.env)).toMatch(/^Paste the key, and press Enter: It works\./);
});

test.each([
	[[], 'issue'],
	[['rotat'], 'Did you mean rotate?'],
	[['show'], `missing required argument 'ID'`],
	[['list', 'more'], `too many arguments for 'list'`],
	[['list', '--test'], `unknown option '--test'`],
	[
		['rotate', 'abc', '--overlap', 'week'],
		'--overlap must be a time in s, m, h, d or y (365 days), 36500d at most, or 0, for example 7d.',
	],
])('called as %j it exits with 2 and says what is right', async (args, said) => {
	await using keeping = await startKeyKeeping();
	const { code, stdout, stderr } = await keeping.keys(...args);
	expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)]);
	expect(stderr).not.toContain('    at ');
});

test.each([[['show', '0000']], [['rotate', '0000']], [['revoke', '0000', '--yes']], [['issue', '--for', '0000']]])(
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
	expect([code, stderr]).toEqual([1, expect.stringContaining('use check')]);
	expect(stderr).not.toContain(key);
});

test.each([
	[['issue', '--name', 'Ana Ruiz', '--email', 'ana@clinicasol.example']],
	[['list']],
	[['show', 'abc']],
	[['rotate', 'abc']],
	[['revoke', 'abc', '--yes']],
])('with LEAD_STORE=none %j says that there are no keys', async (args) => {
	const { code, stderr } = await runCommand('keys', args, { env: { LEAD_STORE: 'none' } });
	expect([code, stderr]).toEqual([1, expect.stringMatching(/^LEAD_STORE is none, so there are no API keys.*\.\n$/)]);
});

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
