import { expect, onTestFinished, test, vi } from 'vitest';
import { expiredCertificate } from '../../support/certificate.ts';
import { type Spoil, startProxy } from '../../support/front.ts';
import { dovecotMissing, startFaultyImapServer, startImapServer } from '../../support/imap-server.ts';
import { startBackend } from '../../support/lead-places.ts';
import { NOBODY } from '../../support/listening.ts';
import { METRICS, scrape } from '../../support/metrics.ts';
import { runCommand, runDoctor, runLeads } from '../../support/operator-command.ts';
import { startServer } from '../../support/server.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { type SmtpServerOptions, startSmtpServer } from '../../support/smtp-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

type Settings = Record<string, string>;

const SECRET = { CANARY_SECRET: 'c'.repeat(32) };
const CANARY = { ...SECRET, CANARY_EMAIL_TO: 'canary@website.test' };
/** Where the doctor listens in tests: one after the other. */
const LISTENER = { ...SECRET, CANARY_WEBHOOK: '127.0.0.1:9465' };

/** Sends a canary. A canary that is to arrive has a minute: machines may be busy. */
const watch = (url: string, settings: Settings, patience = '2s') =>
	runDoctor(['--canary', '--patience', patience, url], settings);

/** The end of a canary that found a fault. */
const faultOf = (check: string) => ({ code: 1, findings: [{ check, outcome: 'fault' }] });

test.skipIf(dovecotMissing).each(['127.0.0.1', '::1'])(
	'a canary comes by form and mail server into its mailbox at %s, and counts nowhere',
	async (host) => {
		await using imap = await startImapServer(host);
		await using mail = await startSmtpServer({
			judge: ({ to, raw }) => (to[0] === CANARY.CANARY_EMAIL_TO ? imap.deliver(raw) : undefined),
		});
		await using folder = await temporaryFolder();
		const settings = { ...CANARY, ...mail.settings, LEAD_STORE: `sqlite:${folder.path}/leads.db` };
		await using server = await startServer({ ...settings, ...METRICS });
		const before = await scrape(server);
		const doctor = { ...SECRET, CANARY_IMAP_URL: imap.url };
		for (const _ of [1, 2])
			expect(await watch(server.url, doctor, '1m')).toMatchObject({ code: 0, findings: [{ outcome: 'ok' }] });
		for (const { to, parsed } of mail.mails)
			expect([to, /\/lead\//.test(parsed.html!)]).toEqual([['canary@website.test'], false]);

		const counts = (text: string) => text.split('\n').filter((line) => line.startsWith('lead'));
		expect(counts(await scrape(server))).toEqual(counts(before));
		for (const command of [['list'], ['stats']])
			expect((await runLeads([...command, '--json'], settings)).stdout).not.toMatch(/Canary|"lead"|[1-9]\d* lead/);

		// Where secrets or clocks differ, the doctor says so at the first answer, and the sales team gets nothing.
		const later = { NODE_OPTIONS: '--import ./tests/support/shifted-clock.ts', CLOCK_SHIFT: String(20 * 60_000) };
		for (const differing of [{ CANARY_SECRET: 'd'.repeat(32) }, later]) {
			expect(await watch(server.url, { ...doctor, ...differing }, '1h')).toMatchObject(faultOf('canary: secret'));
		}
		expect((await runLeads(['list', '--json'], settings)).stdout).not.toContain('Canary');
		expect(mail.offered).toHaveLength(2);
	},
);

test.skipIf(dovecotMissing)('a mailbox that cannot be opened is a fault of its own', async () => {
	await using imap = await startImapServer();
	for (const url of [imap.url.replace('secret', 'wrong'), `${imap.url}/Nowhere`, `imap://a:b@${NOBODY}`])
		expect(await watch(`http://${NOBODY}`, { ...SECRET, CANARY_IMAP_URL: url })).toMatchObject(faultOf('canary: destination'));
});

test('an address that cannot be listened at is a fault of its own', async () => {
	await using taken = await startWebhookReceiver();
	const doctor = { ...SECRET, CANARY_WEBHOOK: new URL(taken.url).host };
	expect(await watch(`http://${NOBODY}`, doctor)).toMatchObject(faultOf('canary: destination'));
});

test.each<Parameters<typeof startFaultyImapServer>>([
	['drop', 'greeting'],
	['bye', 'greeting'],
	['silence', 'greeting'],
	['no', 'LOGIN'],
	['silence', 'LOGIN'],
	['no', 'SELECT'],
	// The first opens the mailbox, the second looks for the canary.
	['drop', 'SELECT', 2],
	['bye', 'SELECT', 2],
	['no', 'SELECT', 2],
	['silence', 'SELECT', 2],
	['drop', 'SEARCH'],
	['bye', 'SEARCH'],
	['no', 'SEARCH', 2],
	['silence', 'SEARCH'],
])('a mailbox that fails is at fault, not the website: %s at %s', async (...fault) => {
	await using imap = await startFaultyImapServer(...fault);
	await using mail = await startSmtpServer();
	await using server = await startServer({ ...CANARY, ...mail.settings });
	expect(await watch(server.url, { ...SECRET, CANARY_IMAP_URL: imap.url })).toMatchObject(faultOf('canary: destination'));
});

test('a canary has ten minutes, because greylisting takes five', async () => {
	expect((await runCommand('doctor', ['--help'])).stdout).toMatch(/--patience .*\(default: 10m\)/s);
});

test('without a mailbox a canary comes to the doctor, also where nothing is kept', async () => {
	for (const store of [{}, { LEAD_STORE: 'none' }] as Settings[]) {
		await using server = await startServer({ ...LISTENER, LEAD_WEBHOOK_URL: `http://${NOBODY}`, ...store });
		expect(await watch(server.url, LISTENER, '1m')).toMatchObject({ code: 0 });
	}
});

/** Faults, with what the doctor says of each. */
const faults: Record<string, { found: RegExp; mail?: SmtpServerOptions; settings?: (url: string) => Settings; spoil?: Spoil }> = {
	'a wrong password': {
		found: /not arrived/,
		mail: { login: { user: 'website', pass: 'right' } },
		settings: (url) => ({ SMTP_URL: url.replace('//', '//website:wrong@') }),
	},
	'a name that DNS does not know': { found: /not arrived/, settings: () => ({ SMTP_URL: 'smtp://a:b@mail.nowhere.invalid' }) },
	'a certificate of the mail server that is not to be trusted': {
		found: /not arrived/,
		mail: { certificate: await expiredCertificate() },
		settings: (url) => ({ SMTP_URL: url.replace('127.0.0.1', '0.0.0.0') }),
	},
	'a mailbox that is full': { found: /not arrived/, mail: { refuse: { 'canary@website.test': 552 } } },
	'a mail server that takes a mail and loses it': { found: /not arrived/ },
	'a form that lacks a field': {
		found: /^the form of \/contact \(200\) has no email$/,
		spoil: async (_, ask) => {
			const answer = await ask();
			return { ...answer, headers: {}, body: answer.body.toString().replace('name="email"', '') };
		},
	},
	'a process that has stopped': {
		found: /^the form of \/contact \(502\) has no name/,
		spoil: () => Promise.reject(new Error('gone')),
	},
};

test.skipIf(dovecotMissing).each(Object.entries(faults))('the next canary tells of %s', async (_, row) => {
	const { found, mail: options, settings, spoil = (_, ask) => ask() } = row;
	await using imap = await startImapServer();
	await using mail = await startSmtpServer(options);
	await using server = await startServer({ ...CANARY, ...mail.settings, ...settings?.(mail.url) });
	await using proxy = await startProxy({
		target: server.url,
		spoil: (request, ask) => (delete request.headers['accept-encoding'], spoil(request, ask)),
	});
	const doctor = { ...SECRET, CANARY_IMAP_URL: imap.url };
	expect(await watch(proxy.url, doctor)).toMatchObject({ code: 1, findings: [{ found: expect.stringMatching(found) }] });
});

test('a webhook that answers 404, and a spam engine that rejects all: the next canary tells of both', async () => {
	await using wrong = await startWebhookReceiver({ status: 404 });
	await using engine = await startWebhookReceiver({ body: '{"action":"reject","score":99}' });
	for (const settings of [
		{ CANARY_WEBHOOK: new URL(wrong.url).host },
		{ LEAD_SPAM_URL: new URL(engine.url).origin },
	] as Settings[]) {
		await using server = await startServer({ ...LISTENER, LEAD_WEBHOOK_URL: `http://${NOBODY}`, ...settings });
		expect(await watch(server.url, LISTENER)).toMatchObject({
			code: 1,
			findings: [{ found: expect.stringMatching(/not arrived/) }],
		});
	}
	expect([wrong.requests.length, engine.requests.length]).toEqual([1, expect.toSatisfy((count: number) => count > 0)]);
});

test('the next canary tells of a full store', async ({ skip }) => {
	using disk = mountSmallDisk();
	if (!disk) return skip('We may not mount.');
	await using server = await startServer({
		...LISTENER,
		LEAD_WEBHOOK_URL: `http://${NOBODY}`,
		LEAD_STORE: `sqlite:${disk.path}/leads.db`,
	});
	disk.fill();
	expect(await watch(server.url, LISTENER)).toMatchObject({
		code: 1,
		findings: [{ found: expect.stringMatching(/answered 503/) }],
	});
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
	const kept = file.prepare(`SELECT count(*) AS kept FROM lead_entries WHERE kind = 'canary' AND state <> 'gone'`);
	// The canaries of the last hour. The last outbox may still be at work on the others.
	await expect.poll(() => Number(kept.get()!['kept'])).toBeLessThan(5);
	expect([canaries.requests.length, backend.receiver.requests.length]).toEqual([30 * 96, 30]);
	expect(backend.log.filter(({ level }) => level !== 'info')).toEqual([]);
});
