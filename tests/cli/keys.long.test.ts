import { expect } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { testWhereIssued as test } from '../support/api-key.ts';
import { startLeadKeeping } from '../support/lead-places.ts';
import { runCommand } from '../support/operator-command.ts';

test('list shows each key with what it may and how it stands, newest first, and whose it is', async () => {
	await using keeping = await startLeadKeeping();
	expect((await keeping.keys('list')).stdout).toContain('There are no API keys yet.');
	const [old, fresh] = [await keeping.issue('--scopes', 'contact:write', '--expires', '2y'), await keeping.issue()];
	await keeping.keys('revoke', fresh.id, '--yes');
	await keeping.store.keys.used(old.id, '2026-11-20');
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
	await using keeping = await startLeadKeeping();
	const [broken, well] = [await keeping.issue(), await keeping.issue()];
	using database = keeping.database();
	database.prepare(`UPDATE api_keys SET content = x'00' WHERE id = ?`).run(broken.id);
	const { code, stdout } = await keeping.keys('list');
	expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${broken.id} +cannot be read `, 'm'))]);
	expect(stdout).toMatch(new RegExp(`^${well.id} +works, .*\n  Ana Ruiz`, 'm'));
	expect(await keeping.shownKey(broken.id)).toMatchObject({ id: broken.id, works: false });
	expect(await keeping.keys('revoke', broken.id, '--yes')).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^Key .* cannot be read, so /),
	});
});

test('revoke asks first, and where nobody can be asked it wants --yes', async () => {
	await using keeping = await startLeadKeeping();
	const { id } = await keeping.issue();
	expect(await keeping.keys('revoke', id)).toMatchObject({ code: 2, stderr: expect.stringContaining(`revoke ${id} --yes`) });
	const asked: string[] = [];
	const no = async (question: string) => asked.push(question) < 1;
	expect((await runCommand('keys', ['revoke', id], { env: keeping.env, ask: no })).stderr).toContain('Nothing was done.');
	expect(asked).toEqual([expect.stringMatching(/^End key .* for good\?$/)]);
	expect(await keeping.shownKey(id)).toMatchObject({ works: true });
	const { code, stdout } = await keeping.keys('revoke', id, '--yes');
	expect([code, stdout]).toEqual([0, expect.stringContaining('Within a minute every instance refuses it.')]);
	expect(await keeping.shownKey(id)).toMatchObject({ works: false });
	expect(await keeping.keys('revoke', id, '--yes')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('nothing to revoke'),
	});
});

test('a key in the place of its id is refused, and not printed', async () => {
	await using keeping = await startLeadKeeping();
	const { key } = await keeping.issue();
	const { code, stderr } = await keeping.keys('revoke', key, '--yes');
	expect([code, stderr]).toEqual([1, expect.stringMatching(/^That is no id/)]);
	expect(stderr).not.toContain(key);
});
