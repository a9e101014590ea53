import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { HOUR, newEntry } from '../../store/entries.ts';
import { foreignCertificate, localCertificate } from '../../support/certificate.ts';
import { startLeadKeeping, startStoring } from '../../support/lead-places.ts';
import { NOBODY } from '../../support/listening.ts';
import { runDoctor } from '../../support/operator-command.ts';
import { postLead } from '../../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
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
	['takes it over TLS alone is all right', /^ok: /, 'right', async () => ({ login, certificate: await foreignCertificate() })],
	['does not know our password is a fault', /^fault: SMTP 535/, 'wrong', () => ({ login })],
	[
		'has a certificate that is not trusted is a fault',
		/^fault: DEPTH_ZERO_SELF_SIGNED_CERT: ./,
		'right',
		async () => ({ certificate: await localCertificate(), secure: true }),
	],
])('a mail server that %s, and no mail is sent to find that out', async (_, finding, password, options) => {
	await using server = await startSmtpServer(await options());
	const SMTP_URL = server.url.replace('//', `//website:${password}@`);
	expect(await examine('mail', { ...server.settings, SMTP_URL })).toEqual({ server: expect.stringMatching(finding) });
	expect(server.offered).toEqual([]);
});

test('a store where everything is delivered has no fault', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take();
	await keeping.tried();
	expect(await examine('store', keeping.env)).toEqual({
		SQLite: expect.stringMatching(/^ok: SQLite 3\.\d+\.\d+ in Node\.js /),
		writable: 'ok: it takes a write',
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

test('where there is no store, the doctor says so and makes none', async () => {
	const found = 'skipped: LEAD_STORE is none, so neither leads nor API keys are kept.';
	expect(await examine('store', {})).toEqual({ SQLite: found, writable: found, waiting: found, parked: found });
	const { parked } = await examine('store', { LEAD_STORE: 'sqlite:var/no-such-folder/leads.db' });
	expect(parked).toMatch(/^skipped: There is no lead store at \/.*\/var\/no-such-folder\/leads\.db: /);
});

test.skipIf(postgresMissing)('PostgreSQL is checked too, and is a fault where it does not answer', async () => {
	await using postgres = await startPostgres();
	const url = await postgres.createDatabase();
	await (await openStore({ kind: 'postgres', url }))[Symbol.asyncDispose]();
	expect(await examine('store', { LEAD_STORE: url })).toEqual({
		SQLite: 'skipped: the store is on PostgreSQL',
		writable: 'ok: it takes a write',
		waiting: 'ok: nothing waits',
		parked: 'ok: none',
	});
	const { waiting } = await examine('store', { LEAD_STORE: `postgres://${NOBODY}/leads` });
	expect(waiting).toMatch(/^fault: The lead store on PostgreSQL .* cannot be opened/);
});

test('nothing is sent to the sales team', async () => {
	await using storing = await startStoring();
	await runDoctor([storing.server.url], storing.env);
	expect(JSON.parse((await storing.leads('list', '--json')).stdout)).toMatchObject({ entries: [] });
	expect(storing.receiver.requests).toEqual([]);
});

test('a lead that is given up is a fault', async () => {
	await using failing = await startStoring({}, { status: 410 });
	await postLead(failing.server.url);
	await expect.poll(() => failing.states()).toEqual(['parked']);
	expect(await runDoctor([failing.server.url], failing.env)).toMatchObject({
		code: 1,
		complaints: [{ check: 'store: parked', found: '1 parked', advice: expect.stringContaining('list --state parked') }],
	});
});
