import { expect, onTestFinished, test, vi } from 'vitest';
import { type Spoil, startProxy } from '../../support/front.ts';
import { dovecotMissing, type ImapFault, startFaultyImapServer, startImapServer } from '../../support/imap-server.ts';
import { startBackend, startStoring } from '../../support/lead-places.ts';
import { NOBODY } from '../../support/listening.ts';
import { METRICS, scrape } from '../../support/metrics.ts';
import { runCommand, runDoctor } from '../../support/operator-command.ts';
import { startServer } from '../../support/server.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

type Settings = Record<string, string>;

const SECRET = { CANARY_SECRET: 'c'.repeat(32) };
const CANARY = { ...SECRET, CANARY_EMAIL_TO: 'canary@website.test' };
/** Where the doctor listens in tests: one after the other. */
const LISTENER = { ...SECRET, CANARY_WEBHOOK: '127.0.0.1:9465' };
const LISTENED = { ...LISTENER, LEAD_WEBHOOK_URL: `http://${NOBODY}` };

/** Sends a canary. A canary that is to arrive has a minute: machines may be busy. */
const watch = (url: string, settings: Settings, patience = '2s') =>
	runDoctor(['--canary', '--patience', patience, url], settings);

/** The end of a canary that found a fault. */
const faultOf = (check: string) => ({ code: 1, findings: [{ check, outcome: 'fault' }] });

test.skipIf(dovecotMissing).each(['127.0.0.1', '::1'])('at %s a canary comes by mail, and counts nowhere', async (host) => {
	await using imap = await startImapServer(host);
	await using mail = await startSmtpServer({ judge: ({ raw }) => imap.deliver(raw) });
	await using storing = await startStoring({ ...CANARY, ...mail.settings, ...METRICS, LEAD_WEBHOOK_URL: '' });
	const { server, leads } = storing;
	const before = await scrape(server);
	const doctor = { ...SECRET, CANARY_IMAP_URL: imap.url };
	for (const _ of [1, 2]) expect(await watch(server.url, doctor, '1m')).toMatchObject({ code: 0, findings: [{ outcome: 'ok' }] });
	for (const { to, parsed } of mail.mails) expect([to, /\/lead\//.test(parsed.html!)]).toEqual([['canary@website.test'], false]);

	const counts = (text: string) => text.split('\n').filter((line) => line.startsWith('lead'));
	expect(counts(await scrape(server))).toEqual(counts(before));
	for (const command of ['list', 'stats'])
		expect((await leads(command, '--json')).stdout).not.toMatch(/Canary|"lead"|[1-9]\d* lead/);

	// Where secrets or clocks differ, the doctor says so at the first answer, and the sales team gets nothing.
	const later = { NODE_OPTIONS: '--import ./tests/support/shifted-clock.ts', CLOCK_SHIFT: String(20 * 60_000) };
	for (const differing of [{ CANARY_SECRET: 'd'.repeat(32) }, later])
		expect(await watch(server.url, { ...doctor, ...differing }, '1h')).toMatchObject(faultOf('canary: secret'));
	expect(mail.offered).toHaveLength(2);
});

test.skipIf(dovecotMissing)('a mailbox that cannot be opened, or an address to listen at, is a fault of its own', async () => {
	await using imap = await startImapServer();
	await using taken = await startWebhookReceiver();
	const urls = [imap.url.replace('secret', 'wrong'), `${imap.url}/Nowhere`, `imap://a:b@${NOBODY}`];
	for (const place of [...urls.map((url) => ({ CANARY_IMAP_URL: url })), { CANARY_WEBHOOK: new URL(taken.url).host }])
		expect(await watch(`http://${NOBODY}`, { ...SECRET, ...place } as Settings)).toMatchObject(faultOf('canary: destination'));
});

/** What a mailbox does wrong, at which of its answers. */
const failing: [at: Parameters<typeof startFaultyImapServer>[1], nth: number, faults: ImapFault[]][] = [
	['greeting', 1, ['drop', 'bye', 'silence']],
	['LOGIN', 1, ['no', 'silence']],
	['SELECT', 1, ['no']],
	// The first opens the mailbox, the second looks for the canary.
	['SELECT', 2, ['drop', 'bye', 'no', 'silence']],
	['SEARCH', 1, ['drop', 'bye', 'silence']],
	['SEARCH', 2, ['no']],
];

const failures = failing.flatMap(([at, nth, faults]) => faults.map((fault) => [fault, at, nth] as const));
test.each(failures)('a mailbox that fails is at fault, not the website: %s at %s %i', async (...fault) => {
	await using imap = await startFaultyImapServer(...fault);
	await using mail = await startSmtpServer();
	await using server = await startServer({ ...CANARY, ...mail.settings });
	expect(await watch(server.url, { ...SECRET, CANARY_IMAP_URL: imap.url })).toMatchObject(faultOf('canary: destination'));
});

test('a canary has ten minutes, because greylisting takes five', async () => {
	expect((await runCommand('doctor', ['--help'])).stdout).toMatch(/--patience .*\(default: 10m\)/s);
});

test('without a mailbox a canary comes to the doctor, also where nothing is kept', async () => {
	for (const LEAD_STORE of ['', 'none']) {
		await using server = await startServer({ ...LISTENED, LEAD_STORE });
		expect(await watch(server.url, LISTENER, '1m')).toMatchObject({ code: 0 });
	}
});

test.skipIf(dovecotMissing).each<[what: string, found: RegExp, spoil: Spoil]>([
	['a mail server that takes a mail and loses it', /not arrived/, (_, ask) => ask()],
	[
		'a form that lacks a field',
		/^the form of \/contact \(200\) has no email$/,
		async (_, ask) => ({ status: 200, headers: {}, body: String((await ask()).body).replace('name="email"', '') }),
	],
	['a process that has stopped', /^the form of \/contact \(502\) has no name/, () => Promise.reject(new Error('gone'))],
])('the next canary tells of %s', async (_, found, spoil) => {
	await using imap = await startImapServer();
	await using mail = await startSmtpServer();
	await using server = await startServer({ ...CANARY, ...mail.settings });
	const plainly: Spoil = (request, ask) => (delete request.headers['accept-encoding'], spoil(request, ask));
	await using proxy = await startProxy({ target: server.url, spoil: plainly });
	const doctor = { ...SECRET, CANARY_IMAP_URL: imap.url };
	expect(await watch(proxy.url, doctor)).toMatchObject({ code: 1, findings: [{ found: expect.stringMatching(found) }] });
});

test('the next canary tells of a spam engine that rejects all, and of a full store', async ({ skip }) => {
	await using engine = await startWebhookReceiver({ body: '{"action":"reject","score":99}' });
	const toldWith = async (settings: Settings, spoil = () => {}) => {
		await using server = await startServer({ ...LISTENED, ...settings });
		spoil();
		return await watch(server.url, LISTENER);
	};
	const told = (found: RegExp) => ({ code: 1, findings: [{ found: expect.stringMatching(found) }] });
	expect(await toldWith({ LEAD_SPAM_URL: new URL(engine.url).origin })).toMatchObject(told(/not arrived/));
	expect(engine.requests.length).toBeGreaterThan(0);
	using disk = mountSmallDisk();
	if (!disk) return skip('We may not mount.');
	expect(await toldWith({ LEAD_STORE: `sqlite:${disk.path}/leads.db` }, disk.fill)).toMatchObject(told(/answered 503/));
});

test('a canary that waits or is given up needs no operator: neither the list nor the next start tells of it', async () => {
	await using wrong = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 503 : 404 }));
	await using backend = await startBackend({ ...SECRET, CANARY_WEBHOOK: new URL(wrong.url).host, LEAD_SPAM: 'off' });
	for (const name of ['One', 'Two']) await backend.take({ name }, { canary: name });
	expect(wrong.requests).toHaveLength(2);
	expect((await backend.leads('list')).stdout).toBe('0 leads: 0 waiting, 0 delivered, 0 parked, 0 quarantined.\n');
	expect((await backend.leads('retry', '--parked')).stdout).toBe('Nothing is parked.\n');
	await backend.restart({ CANARY_WEBHOOK: '', CANARY_SECRET: '' });
	expect(JSON.stringify(backend.log)).not.toContain('stranded');
});

test('thirty days of canaries and leads without a fault tell of nothing', async () => {
	await using canaries = await startWebhookReceiver();
	await using backend = await startBackend({ ...SECRET, CANARY_WEBHOOK: new URL(canaries.url).host });
	vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T00:00:00Z') });
	onTestFinished(() => void vi.useRealTimers());
	for (let round = 0; round < 30 * 96; round += 1) {
		await backend.take({ name: `Canary ${round}` }, { canary: `${round}` });
		if (round % 96 === 40) await backend.take({ name: `Ana ${round}` });
		// A fresh outbox does the work of the hour.
		if (round % 96 === 95) await backend.restart({});
		vi.advanceTimersByTime(15 * 60_000);
	}
	using file = backend.database();
	const kept = file.prepare(`SELECT id FROM lead_entries WHERE kind = 'canary' AND state <> 'gone'`);
	// The canaries of the last hour. The last outbox may still be at work on the others.
	await expect.poll(() => kept.all().length).toBeLessThan(5);
	expect([canaries.requests.length, backend.receiver.requests.length]).toEqual([30 * 96, 30]);
	expect(backend.log.filter(({ level }) => level !== 'info')).toEqual([]);
});
