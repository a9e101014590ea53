import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { HOUR, newEntry } from '../../store/entries.ts';
import { foreignCertificate, localCertificate } from '../../support/certificate.ts';
import { dovecotMissing, startImapServer } from '../../support/imap-server.ts';
import { startLeadKeeping, startStoring } from '../../support/lead-places.ts';
import { startLanguageModel } from '../../support/language-model.ts';
import { NOBODY } from '../../support/listening.ts';
import { METRICS, scrape, valueOf } from '../../support/metrics.ts';
import { runDoctor } from '../../support/operator-command.ts';
import { postLead } from '../../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
import { startServer } from '../../support/server.ts';
import { type SmtpServerOptions, startSmtpServer } from '../../support/smtp-server.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

/** Returns the doctor's findings about a subject, by check. Nothing answers at the origin. */
async function examine(subject: string, env: Record<string, string>) {
	const { findings } = await runDoctor([`http://${NOBODY}`], env);
	const of = findings.filter(({ check }) => check.startsWith(`${subject}: `));
	return Object.fromEntries(of.map(({ check, outcome, found }) => [check.slice(subject.length + 2), `${outcome}: ${found}`]));
}

const login = { user: 'website', pass: 'right' };
const [foreign, local] = [await foreignCertificate(), await localCertificate()];
test.each<[what: string, finding: RegExp, password: string, options: SmtpServerOptions]>([
	['takes our login over TLS alone is all right', /^ok: /, 'right', { login, certificate: foreign }],
	['does not know our password is a fault', /^fault: SMTP 535/, 'wrong', { login }],
	['nobody may trust is a fault', /^fault: DEPTH_ZERO_SELF_SIGNED_CERT: ./, 'right', { certificate: local, secure: true }],
])('a mail server that %s, and no mail is sent to find that out', async (_, finding, password, options) => {
	await using server = await startSmtpServer(options);
	const SMTP_URL = server.url.replace('//', `//website:${password}@`);
	const { server: found } = await examine('mail', { ...server.settings, SMTP_URL });
	expect(found).toMatch(finding);
	expect(server.offered).toEqual([]);
});

test.skipIf(dovecotMissing)('the mailbox of mails that came back is opened, and not changed', async () => {
	await using imap = await startImapServer();
	await imap.deliver('Subject: unread\n\nHello');
	const mailing = { SMTP_URL: `smtp://${NOBODY}`, LEAD_EMAIL_TO: 'a@b.test', LEAD_EMAIL_FROM: 'c@b.test' };
	const settings = { ...mailing, LEAD_STORE: 'sqlite:var/missing.db' };
	const found = async (url: string) => (await examine('mail', { ...settings, LEAD_BOUNCES_URL: url }))['returned'];
	expect(await found(imap.url)).toMatch(/^ok: /);
	expect(await found(imap.url.replace('secret', 'wr0ng'))).toMatch(/^fault: LEAD_BOUNCES_URL: (?!.*wr0ng)./);
	expect(await found(`imap://a:b@${NOBODY}`)).toMatch(/^fault: LEAD_BOUNCES_URL: ./);
	expect((await examine('mail', {}))['returned']).toMatch(/^skipped: /);
});

test.each([
	['ok: HOST: no action, HOST: enquiry', 'no action', 'enquiry'],
	['fault: HOST: no action, HOST: unclear', 'no action', 'unclear'],
	['fault: HOST: reject, HOST: enquiry', 'reject', 'enquiry'],
	['fault: HOST: no action, HOST: HTTP 401', 'no action', 401],
])('spam engines are asked about an example: %s', async (finding, action, answer) => {
	await using rspamd = await startWebhookReceiver({ body: JSON.stringify({ action }) });
	await using model = await startLanguageModel(() => (typeof answer === 'number' ? { status: answer } : answer));
	const found = await examine('spam', { LEAD_SPAM_URL: `${new URL(rspamd.url).origin} ${model.setting}` });
	expect({ engines: found['engines']!.replaceAll(/127[.\d:]+\d/g, 'HOST') }).toEqual({ engines: finding });
	expect(await examine('spam', {})).toEqual({ engines: expect.stringMatching(/^skipped: /) });
});

test('a store where everything is delivered has no fault, and a lead that waits is told of once that is more than an hour', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take();
	await keeping.tried();
	expect(await examine('store', keeping.env)).toEqual({
		SQLite: expect.stringMatching(/^ok: SQLite 3\.\d+\.\d+ in Node\.js /),
		writable: 'ok: it takes a write',
		clock: 'skipped: SQLite has the clock of its server',
		waiting: 'ok: nothing waits',
		parked: 'ok: none',
		taken: 'ok: nobody took a lead of the last two weeks by its link',
	});
	await keeping.take({ message: 'It waits.' });
	expect((await examine('store', keeping.env))['waiting']).toMatch(/^ok: 1 waiting, the oldest for \d+ seconds?$/);
	await keeping.store.insert(newEntry({ receivedAt: Date.now() - 2 * HOUR }));
	expect((await examine('store', keeping.env))['waiting']).toBe('warning: 2 waiting, the oldest for 2 hours');
});

test('where there is no store, the doctor says so and makes none', async () => {
	const found = 'skipped: LEAD_STORE is none, so neither leads nor API keys are kept.';
	expect(new Set(Object.values(await examine('store', {})))).toEqual(new Set([found]));
	const { parked } = await examine('store', { LEAD_STORE: 'sqlite:var/no-such-folder/leads.db' });
	expect(parked).toMatch(/^skipped: There is no lead store at \/.*\/var\/no-such-folder\/leads\.db: /);
});

test.skipIf(postgresMissing)('PostgreSQL is checked too, and is a fault where it does not answer', async () => {
	await using postgres = await startPostgres();
	const url = await postgres.createDatabase();
	await (await openStore({ kind: 'postgres', url }))[Symbol.asyncDispose]();
	const { SQLite, ...others } = await examine('store', { LEAD_STORE: url });
	expect([SQLite, others['clock']]).toEqual(['skipped: the store is on PostgreSQL', 'ok: as on this machine']);
	expect(Object.values(others).filter((found) => !found.startsWith('ok: '))).toEqual([]);
	const { waiting } = await examine('store', { LEAD_STORE: `postgres://${NOBODY}/leads` });
	expect(waiting).toMatch(/^fault: The lead store on PostgreSQL .* cannot be opened/);
});

test('a lead that is given up is a fault, and the doctor adds none', async () => {
	await using failing = await startStoring({}, { status: 410 });
	await postLead(failing.server.url);
	await expect.poll(() => failing.list()).toMatchObject([{ state: 'parked' }]);
	const { code, complaints } = await runDoctor([failing.server.url], failing.env);
	expect([code, complaints]).toMatchObject([1, [{ check: 'store: parked', found: '1 parked' }]]);
	expect(await failing.list()).toMatchObject([{ state: 'parked' }]);
});

test.skipIf(postgresMissing)('a clock that is hours off is a fault, of server or database, and tells no age', async () => {
	await using postgres = await startPostgres();
	await using receiver = await startWebhookReceiver({ status: 500 });
	const env = { LEAD_STORE: await postgres.createDatabase(), LEAD_WEBHOOK_URL: receiver.url };
	const shifted = ['--import', resolve('tests/support/shifted-clock.ts')];
	await using server = await startServer({ ...env, ...METRICS, CLOCK_SHIFT: String(-2 * HOUR) }, shifted);
	await postLead(server.url);
	await receiver.received(1);
	expect(valueOf('leads_oldest_waiting_age_seconds', await scrape(server))).toBeLessThan(60);
	const faultsOf = async (settings: Record<string, string>) => {
		const { complaints } = await runDoctor([server.url], settings);
		return complaints.filter(({ check }) => /clock|waiting/.test(check)).map(({ check, found }) => `${check}: ${found}`);
	};
	expect(await faultsOf(env)).toEqual(['API: clock: the server is 2 hours behind this machine']);
	const here = { ...env, NODE_OPTIONS: shifted.join(' '), CLOCK_SHIFT: String(-2 * HOUR) };
	expect(await faultsOf(here)).toEqual(['store: clock: PostgreSQL is 2 hours ahead of this machine']);
});
