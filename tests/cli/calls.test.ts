import { expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { startLeadKeeping } from '../support/lead-places.ts';
import { runCommand } from '../support/operator-command.ts';
import { shared } from '../support/shared.ts';

/** A program, its arguments, its exit code, a part of what it says, and other settings than those of an empty store. */
type Called = [program: 'leads' | 'keys' | 'doctor', args: string[], code: 1 | 2, said: string, env?: Record<string, string>];

const empty = shared(() => startLeadKeeping());
const none = { LEAD_STORE: 'none' };
const ana = ['--name', 'Ana Ruiz', '--email', 'ana@clinicasol.example'];
/** Calls that would issue a key if there were a store. Other values of a limit and a time are tested with the settings. */
const issuing = (option: string, right: string, ...wrong: string[]): Called[] => [
	['keys', ['issue', ...ana, `--${option}`, right], 1, 'LEAD_STORE is none', none],
	...wrong.map((text): Called => ['keys', ['issue', ...ana, `--${option}`, text], 2, `'${text}' is invalid. It must be `]),
];

const calls: Called[] = [
	['leads', ['show'], 2, `missing required argument 'ID'`],
	['leads', ['list', '--state', 'lost'], 2, 'waiting, delivered, parked, quarantined'],
	['leads', ['list', '--limit', '0'], 2, 'must be a number, for example --limit 50'],
	['leads', ['list', '--limit', '9999999'], 2, 'must be a number'],
	['leads', ['stats', '--since', 'yesterday'], 2, 'for example 30d'],
	['leads', ['retry'], 2, 'retry --parked'],
	['leads', ['retry', 'a', '--parked'], 2, 'retry --parked'],
	['leads', ['retry', '--parked', '--waiting'], 2, 'retry --waiting'],
	['leads', ['export', 'ana'], 2, 'must be an email address'],
	['leads', ['export', 'nobody@example.com'], 1, 'Nothing is kept of nobody@example.com.'],
	['leads', ['erase', 'ana'], 2, 'must be an email address'],
	['leads', ['show', '0000'], 1, 'There is no entry 0000.'],
	['leads', ['retry', '0000'], 1, 'There is no entry 0000.'],
	['leads', ['erase', 'nobody@example.com', '--yes'], 1, 'Nothing is kept of nobody@example.com.'],
	['leads', ['copy', '--to', 'none'], 2, 'copy --to sqlite:FILE'],
	['leads', ['copy', '--to', 'leads.db'], 2, `argument 'leads.db' is invalid`],
	['leads', ['copy', '--to', 'sqlite:/nowhere/b.db'], 1, 'There is no lead store at', { LEAD_STORE: 'sqlite:/nowhere/a.db' }],
	['leads', ['backup', 'b.db'], 1, 'pg_dump --format=custom', { LEAD_STORE: 'postgres://me:hidden@127.0.0.1:1/leads' }],
	['leads', ['test'], 1, 'There is no channel: set SMTP_URL', none],
	['leads', ['list'], 1, 'LEAD_STORE is none', none],
	['leads', ['list'], 1, 'There is no lead store at /nowhere/leads.db', { LEAD_STORE: 'sqlite:/nowhere/leads.db' }],
	['leads', ['list'], 1, 'database leads on 127.0.0.1', { LEAD_STORE: 'postgres://me:hidden@127.0.0.1:1/leads' }],
	['leads', ['list'], 1, 'LEAD_STORE must be', { LEAD_STORE: 'mysql://me:hidden@localhost' }],
	['keys', ['revoke', '0000', '--yes'], 1, 'There is no key 0000.'],
	// A key in the place of its id.
	['keys', ['revoke', 'anteroom_hidden', '--yes'], 1, 'That is no id'],
	['keys', ['issue'], 2, 'issue --for LEAD'],
	['keys', ['issue', '--name', 'Ana Ruiz'], 2, 'issue --name NAME --email EMAIL'],
	['keys', ['issue', ...ana, '--for', '0000'], 2, 'by a lead or by name and address'],
	['doctor', ['www.example.com'], 2, 'It must be scheme and host'],
	['doctor', ['https://www.example.com/docs'], 2, 'It must be scheme and host'],
];
const ofKeys = [
	...issuing('name', 'a'.repeat(120), 'a'.repeat(121)),
	...issuing('email', 'a@b.example', 'a@b.example, c@d.example'),
	...issuing('scopes', 'contact:write status:read', 'contact:write,admin', ','),
	...issuing('limit', '5/1h', 'off'),
	...issuing('expires', '36500d', '36501d'),
];

test.each([...calls, ...(service.keys === 'issued' ? ofKeys : [])])('%s %j exits with %i and says why: %s', async (...called) => {
	const [program, args, code, said, env = empty().env] = called;
	const { stdout, stderr, ...ended } = await runCommand(program, args, { env });
	expect([ended.code, stdout, stderr]).toEqual([code, '', expect.stringContaining(said)]);
	expect(stderr).not.toMatch(/hidden| {4}at /);
	if (code === 2) return;
	const forPrograms = await runCommand(program, [...args, '--json'], { env });
	expect([forPrograms.code, JSON.parse(forPrograms.stdout)]).toEqual([1, { error: expect.stringContaining(said) }]);
});
