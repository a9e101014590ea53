import { expect } from 'vitest';
import { testWhereIssued as test } from '../support/api-key.ts';
import { startLeadKeeping } from '../support/lead-places.ts';
import { scopes } from '../../src/cli/keys.ts';
import { looksLikeKey } from '../../src/api/authentication.ts';
import type { NewEntry } from '../../src/store/store.ts';
import { keyFormOf } from '../../src/facts/facts.ts';
import { links, origin, service } from '../../src/facts/load.ts';
import { lead } from '../support/post-lead.ts';
import { newEntry, quarantined } from '../store/entries.ts';

test('list shows each key with its scopes, its state and its owner, newest first', async () => {
	await using keeping = await startLeadKeeping();
	expect((await keeping.keys('list')).stdout).toContain('There are no API keys yet.');
	const [old, fresh] = [await keeping.issue('--scopes', 'contact:write', '--expires', '2y'), await keeping.issue()];
	await keeping.keys('revoke', fresh.id, '--yes');
	await keeping.store.keys.used(old.id, '2026-11-20');
	const { stdout } = await keeping.keys('list');
	const first = `^${fresh.id} +ended on .* +${Object.keys(service.scopes).join()} +200/10m +.* +never +0$`;
	const second = `^${old.id} +works, ends on \\d+ \\w{3} \\d{4} +contact:write +200/10m +.* +2026-11-20 +0$`;
	expect(stdout).toMatch(new RegExp(`${first}\\n  Ana Ruiz <ana@clinicasol\\.example>\\n${second}`, 'm'));
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
	expect((await keeping.keys('revoke', broken.id, '--yes')).code).toBe(1);
});

test('unless told otherwise a key has every scope, sends 200 leads in 10 minutes, and works for a year, or until it is revoked with --yes, once', async () => {
	await using keeping = await startLeadKeeping();
	const { id } = await keeping.issue();
	const { madeAt, endsAt, ...shown } = await keeping.shownKey(id);
	const owner = { name: 'Ana Ruiz', email: 'ana@clinicasol.example' };
	expect(shown).toMatchObject({ owner, scopes, limit: { limit: 200, window: 600 }, works: true, lastUsed: null, leads: 0 });
	expect(Date.parse(endsAt as string) - Date.parse(madeAt as string)).toBe(365 * 86_400_000);
	expect(await keeping.keys('revoke', id)).toMatchObject({ code: 2, stderr: expect.stringContaining(`revoke ${id} --yes`) });
	expect(await keeping.shownKey(id)).toMatchObject({ works: true });
	expect((await keeping.keys('revoke', id, '--yes')).code).toBe(0);
	expect(await keeping.shownKey(id)).toMatchObject({ works: false });
	expect((await keeping.keys('revoke', id, '--yes')).code).toBe(1);
});

test('a key is printed once, with the reply to its owner, which has all that is needed to use it', async () => {
	await using keeping = await startLeadKeeping();
	const owner = ['--name', 'Ana Ruiz', '--email', 'ana@clinicasol.example'];
	const { code, stdout } = await keeping.keys('issue', ...owner, '--limit', '5/1h', '--expires', '2d');
	const [, id = ''] = /^Key ([0-9a-f]{12}) of Ana Ruiz <ana@clinicasol\.example>/.exec(stdout)!;
	const { pattern } = keyFormOf(service.identifier);
	const [, key = ''] = new RegExp(`^(${pattern})$`, 'm').exec(stdout)!;
	expect([code, looksLikeKey(key)]).toEqual([0, true]);
	const later = [await keeping.keys('list'), await keeping.keys('list', '--json')];
	expect(later.every(({ stdout }) => stdout.includes(id) && stdout.includes('ana@clinicasol.example'))).toBe(true);
	expect(JSON.stringify(later)).not.toMatch(new RegExp(`${pattern}|hash`));

	const { limit, madeAt, endsAt } = (await keeping.shownKey(id)) as { limit: object; madeAt: string; endsAt: string };
	expect([limit, Date.parse(endsAt) - Date.parse(madeAt)]).toEqual([{ limit: 5, window: 3600 }, 2 * 86_400_000]);
	const [, reply] = stdout.split(`--- The reply to ana@clinicasol.example ---\nSubject: Your ${service.name} API key ${id}\n\n`);
	const needed = [...Object.keys(service.scopes), origin, links.protectedResource, links.authMd, service.emails.security];
	for (const part of [`  ${key}\n`, id, endsAt.slice(0, 19).replace('T', ' '), `  Authorization: Bearer ${key}\n`, ...needed])
		expect(reply).toContain(part);
});

/** Issues a key for an entry. */
async function issueFor(entry: NewEntry, ...args: string[]) {
	await using keeping = await startLeadKeeping();
	await keeping.store.insert(entry);
	return { ...(await keeping.keys('issue', '--for', entry.id.slice(-8), ...args)), keys: await keeping.store.keys.list() };
}

test.each([
	['those that the lead asked for', 'Operator: Ana\nScopes: contact:write\nProgram: none', [], ['contact:write']],
	['all, where the lead names none', 'Operator: Ana\nScopes: whatever is needed', [], scopes],
	['all, where the lead has no message', undefined, [], scopes],
	['those of --scopes, whatever the lead asked for', 'Scopes: contact:write', ['--scopes', 'status:read'], ['status:read']],
])('--for takes name and address from a lead, and these scopes: %s', async (_, message, args, given) => {
	const { keys, stdout } = await issueFor(newEntry({ payload: JSON.stringify({ lead: { ...lead, message } }) }), ...args);
	expect(keys).toMatchObject([{ scopes: given, owner: { name: lead.name, email: lead.email } }]);
	expect(scopes.filter((scope) => stdout.includes(scope))).toEqual(given);
});

test.each([
	['a notice', newEntry({ kind: 'notice', email: null, payload: '{}' })],
	['a confirmation', newEntry({ kind: 'confirmation', payload: '{}' })],
	['a lead without an address', quarantined('faulty', { payload: '{"lead":{"name":"Ana"}}' })],
])('--for %s makes no key, and says what to do instead', async (_, entry) => {
	expect(await issueFor(entry)).toMatchObject({ code: 1, keys: [], stderr: expect.stringContaining('--name and --email') });
});
