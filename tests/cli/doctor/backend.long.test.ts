import { expect, test } from 'vitest';
import { service } from '../../../src/facts/load.ts';
import { openStore } from '../../../src/store/store.ts';
import { HOUR, newEntry } from '../../store/entries.ts';
import { localCertificate } from '../../support/certificate.ts';
import { startHubspot } from '../../support/hubspot.ts';
import { startLeadKeeping, startStoring } from '../../support/lead-places.ts';
import { NOBODY } from '../../support/listening.ts';
import { runDoctor } from '../../support/operator-command.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
import { shared } from '../../support/shared.ts';
import { type SmtpServerOptions, startSmtpServer } from '../../support/smtp-server.ts';

/** Returns the doctor's findings about a subject, by check. Nothing answers at the origin. */
async function examine(subject: string, env: Record<string, string>) {
	const { findings } = await runDoctor([`http://${NOBODY}`], env);
	const ofSubject = findings.filter(({ check }) => check.startsWith(`${subject}: `));
	return Object.fromEntries(
		ofSubject.map(({ check, outcome, found }) => [check.slice(subject.length + 2), `${outcome}: ${found}`]),
	);
}

const login = { user: 'website', pass: 'right' };
test.each<[what: string, finding: RegExp, password: string, options: () => SmtpServerOptions | Promise<SmtpServerOptions>]>([
	['takes our login is all right', /^ok: /, 'right', () => ({ login })],
	['does not know our password is a fault', /^fault: SMTP 535/, 'wrong', () => ({ login })],
	[
		'has a certificate that nobody trusts is a fault',
		/^fault: /,
		'right',
		async () => ({ certificate: await localCertificate(), secure: true }),
	],
])('a mail server that %s, and no mail is sent to find that out', async (_, finding, password, options) => {
	await using server = await startSmtpServer(await options());
	const SMTP_URL = server.url.replace('//', `//website:${password}@`);
	expect(await examine('mail', { ...server.settings, SMTP_URL })).toEqual({ server: expect.stringMatching(finding) });
	expect(server.offered).toEqual([]);
});

test('of a store where everything is delivered nothing is complained of', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take();
	await keeping.tried();
	expect(await examine('store', keeping.env)).toEqual({
		SQLite: expect.stringMatching(/^ok: SQLite 3\.\d+\.\d+ in Node\.js /),
		waiting: 'ok: nothing waits',
		parked: 'ok: none',
	});
});

test('a lead that waits is told of with its age, once that is more than an hour', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take();
	expect((await examine('store', keeping.env))['waiting']).toMatch(/^ok: 1 waiting, the oldest for \d+ seconds?$/);
	await keeping.store.insert(newEntry({ receivedAt: Date.now() - 2 * HOUR }));
	expect((await examine('store', keeping.env))['waiting']).toBe('warning: 2 waiting, the oldest for 2 hours');
});

test('where there is no store here it says so, and makes none', async () => {
	const found = 'skipped: LEAD_STORE is none, so neither leads nor API keys are kept.';
	expect(await examine('store', {})).toEqual({ SQLite: found, waiting: found, parked: found });
	const { parked } = await examine('store', { LEAD_STORE: 'sqlite:var/no-such-folder/leads.db' });
	expect(parked).toMatch(/^skipped: There is no lead store at \/.*\/var\/no-such-folder\/leads\.db: /);
});

test.skipIf(postgresMissing)('PostgreSQL is looked at too, and is a fault where it is not there', async () => {
	await using postgres = await startPostgres();
	const url = await postgres.createDatabase();
	await (await openStore({ kind: 'postgres', url }))[Symbol.asyncDispose]();
	expect(await examine('store', { LEAD_STORE: url })).toEqual({
		SQLite: 'skipped: the store is on PostgreSQL',
		waiting: 'ok: nothing waits',
		parked: 'ok: none',
	});
	const { waiting } = await examine('store', { LEAD_STORE: `postgres://${NOBODY}/leads` });
	expect(waiting).toMatch(/^fault: The lead store on PostgreSQL .* cannot be opened/);
});

const storing = shared(() => startStoring());
const failing = shared(() => startStoring({}, { status: 410 }));

test('nothing is sent to the sales team without --lead', async () => {
	const { findings } = await runDoctor([storing().server.url], storing().env);
	expect(findings.at(-1)).toMatchObject({ check: 'lead', outcome: 'skipped' });
	expect(JSON.parse((await storing().leads('list', '--json')).stdout)).toMatchObject({ entries: [] });
	expect(storing().receiver.requests).toEqual([]);
});

test('--lead sends one that says what it is, and tells from the store that it has arrived', async () => {
	const { code, findings } = await runDoctor([storing().server.url, '--lead'], storing().env);
	expect([code, findings.at(-1)]).toMatchObject([
		0,
		{ outcome: 'ok', found: expect.stringMatching(/^answered 200, delivered: json:127\.0\.0\.1:\d+ delivered$/) },
	]);
	expect(storing().receiver.requests).toHaveLength(1);
	const { data } = JSON.parse(storing().receiver.requests[0]!.body) as { data: object };
	expect(JSON.stringify(data)).toMatch(/TEST lead/);
	expect(JSON.stringify(data)).toContain(service.emails.sales);
});

test('a CRM makes a contact of it, and it says so', async () => {
	await using crm = await startHubspot();
	const LEAD_WEBHOOK_URL = `${storing().receiver.url} ${crm.url}`;
	await using selling = await startStoring({ LEAD_WEBHOOK_URL, LEAD_WEBHOOK_FORMAT: 'json hubspot' });
	const { findings } = await runDoctor([selling.server.url, '--lead'], selling.env);
	expect(findings.at(-1)!.found).toMatch(/hubspot:\S+ delivered, .*; hubspot makes a contact of it$/);
});

test('one that no channel takes is a fault, and so is what is given up', async () => {
	const { code, complaints } = await runDoctor([failing().server.url, '--lead'], failing().env);
	expect([code, complaints.map(({ check, found }) => [check, found])]).toEqual([
		1,
		[['lead', expect.stringMatching(/^answered 200, parked: json:.* parked HTTP 410$/)]],
	]);
	const again = await runDoctor([failing().server.url], failing().env);
	expect(again.complaints).toMatchObject([
		{ check: 'store: parked', found: '1 given up', advice: expect.stringContaining('list --state parked') },
	]);
});

test('where the settings lead to no store, or to another one, it says so', async () => {
	const nowhere = await runDoctor([storing().server.url, '--lead']);
	expect(nowhere.findings.at(-1)).toMatchObject({
		outcome: 'ok',
		found: expect.stringMatching(/^answered 200; look for the lead from “doctor /),
	});
	const elsewhere = await runDoctor([storing().server.url, '--lead'], failing().env);
	expect(elsewhere.findings.at(-1)).toMatchObject({ outcome: 'warning', found: 'answered 200, and is not in this store' });
});
