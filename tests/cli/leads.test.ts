import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { leadFields } from '../../src/lead/lead.ts';
import { idPartOf } from '../../src/channels/message.ts';
import { service } from '../../src/facts/load.ts';
import { newApiKey } from '../support/api-key.ts';
import { startLeadKeeping } from '../support/lead-places.ts';
import { runCommand, runLeads } from '../support/operator-command.ts';
import { formOf, lead } from '../support/post-lead.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { newEntry } from '../store/entries.ts';

test('show prints everything of one lead, by the end of its id, evidence of consent included', async () => {
	await using keeping = await startLeadKeeping();
	const id = await keeping.take({ message: 'First\nSecond', lang: 'es', source: '/es/contact' });
	await keeping.tried();
	const { stdout } = await keeping.leads('show', id.slice(-8));
	expect(stdout).toContain(`lead ${id}\ndelivered, received 2`);
	expect(stdout).toMatch(/^Clinic: Clínica Sol$/m);
	expect(stdout).toMatch(/^Message:\n +First\n +Second$/m);
	expect(stdout).toMatch(/^Consent: given to the privacy notice of \S+, .* UTC, “.+”, language es, on \/es\/contact$/m);
	expect(stdout).toMatch(/^json:hooks\.example +delivered +1 +.* UTC$/m);
	const hit = await keeping.leads('show', await keeping.quarantine({ name: 'Bot', website: 'https://clinicasol.example' }));
	expect(hit.stdout).toMatch(/^Honeypot: https:\/\/clinicasol\.example\n[^]*^Consent: not given\n\nNo deliveries\.$/m);
});

test('a confirmation is listed and shown, and an entry of a kind that only a later version knows is left to that', async () => {
	await using keeping = await startLeadKeeping();
	const id = randomUUID();
	const payload = JSON.stringify({ address: lead.email, language: 'en' });
	await keeping.store.insert(newEntry({ id, kind: 'confirmation', payload }));
	expect((await keeping.leads('list')).stdout).toMatch(/^confirmation /m);
	expect((await keeping.leads('show', id)).stdout).toMatch(/^To: ana@clinicasol\.example$/m);
	using database = keeping.database();
	database.exec(`UPDATE lead_entries SET kind = 'later'`);
	const [shown, retried] = [await keeping.leads('show', id), await keeping.leads('retry', id)];
	expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(`later ${id}\n`) });
	expect(retried).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing to retry') });
	expect(database.prepare('SELECT state, tries FROM lead_deliveries').all()).toMatchObject([{ state: 'waiting' }]);
});

test('a lead for a channel that is gone is named by list, and retry delivers it over the channels there are', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take();
	const env = { ...keeping.env, LEAD_WEBHOOK_URL: 'https://other.example/secret-part' };
	expect((await runLeads(['list'], env)).stdout).toMatch(/ do not have: json:hooks\.example\. .* retry --parked$/m);
	const retry = async () => JSON.parse((await runLeads(['retry', '--parked', '--json'], env)).stdout) as unknown;
	// A running server may have it.
	expect(await retry()).toEqual({ retried: 0, left: ['json:hooks.example'] });
	using database = keeping.database();
	database.exec('UPDATE lead_deliveries SET due_at = due_at - 61000');
	expect(await retry()).toEqual({ retried: 1, left: [] });
	expect(await keeping.tried({ state: 'sent' }, 'json:other.example')).toBe(1);
	expect((await runLeads(['list'], env)).stdout).toMatch(/ ended +json:hooks\.example .*\n +delivered +json:other\.example /);
});

test('after an outage, retry --waiting makes due all that waits, and says for which channels it cannot speak', async () => {
	await using keeping = await startLeadKeeping();
	const ids = [await keeping.take({ name: 'Bob' }), await keeping.take({ name: 'Eve' })];
	await keeping.tried({ state: 'waiting', wait: 24 * 3600_000, reason: 'ECONNREFUSED' });
	expect(await keeping.tried()).toBe(0);
	const retry = async (change = {}) =>
		JSON.parse((await runLeads(['retry', '--waiting', '--json'], { ...keeping.env, ...change })).stdout) as unknown;
	const left = ['json:hooks.example'];
	expect(await retry({ LEAD_WEBHOOK_URL: 'https://other.example/secret-part' })).toEqual({ retried: ids.length, left });
	expect(await retry()).toEqual({ retried: 0, left: [] });
	expect(await keeping.tried()).toBe(ids.length);
	expect((await keeping.leads('retry', '--waiting')).stdout).toBe('Nothing waits for a later try.\n');
});

test('dismiss closes what was refused for good, names its channels, and refuses what is not parked', async () => {
	await using keeping = await startLeadKeeping();
	const [parked, also] = [await keeping.take({ name: 'Bob' }), await keeping.take({ name: 'Eve' })];
	await keeping.tried({ state: 'parked', reason: 'HTTP 410' });
	const waiting = await keeping.take({ name: 'Zoe' });
	const one = await keeping.leads('dismiss', parked);
	expect(one).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Closed for json:hooks\.example\. /) });
	const rest = await keeping.leads('dismiss', also, waiting, parked, '--json');
	const failed = [waiting, parked].map((id) => ({ id, reason: expect.stringContaining('No delivery of it is parked') }));
	expect([rest.code, JSON.parse(rest.stdout)]).toEqual([1, { dismissed: [also], failed }]);
	const { counts } = JSON.parse((await keeping.leads('list', '--json')).stdout) as { counts: object };
	expect(counts).toEqual({ waiting: 1, delivered: 2, parked: 0, quarantined: 0 });
	expect(await keeping.leads('retry', parked)).toMatchObject({ code: 0, stdout: expect.stringContaining('Due now: 1') });
	expect(await keeping.tried()).toBe(2);
});

test('export writes JSON Lines with every field, or CSV in which a phone number is no formula', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take({ phone: '+34 600', message: '=1+1' });
	await keeping.tried();
	const [lines, csv] = [await keeping.leads('export'), await keeping.leads('export', '--csv')];
	expect(JSON.parse(lines.stdout)).toMatchObject({ ...lead, phone: '+34 600', message: '=1+1', state: 'delivered' });
	expect((await keeping.leads('--json', 'export')).stdout).toBe(lines.stdout);
	const [head, row] = csv.stdout.split('\r\n', 2).map((line) => JSON.parse(`[${line.replace('\uFEFF', '')}]`) as string[]);
	expect(csv.stdout).toMatch(/^\uFEFF"id","receivedAt","state","noticeVersion","consentWording","apiKey",/);
	expect(head!.slice(6)).toEqual(leadFields.map(({ name }) => name));
	const of = { state: 'delivered', noticeVersion: service.privacyNotice.version };
	const wanted = { ...Object.fromEntries(formOf(lead)), ...of, phone: "'+34 600", country: '' };
	expect(Object.fromEntries(head!.map((name, index) => [name, row![index]]))).toMatchObject(wanted);
});

test('export goes through all leads, however many pages of the store they are', async () => {
	await using keeping = await startLeadKeeping();
	const messages = Array.from({ length: 501 }, (_, number) => `Lead ${number}`);
	for (const message of messages) await keeping.take({ message });
	const lines = (await keeping.leads('export')).stdout.trim().split('\n');
	const exported = lines.map((line) => (JSON.parse(line) as { message: string }).message);
	expect(exported.toSorted()).toEqual(messages.toSorted());
});

test('erase asks how much to delete, deletes it for a yes only, and without a terminal it wants --yes', async () => {
	await using keeping = await startLeadKeeping();
	for (const name of ['Ana', 'Eve']) await keeping.take({ name });
	await keeping.store.keys.insert(newApiKey({ email: lead.email }));
	const erase = (...options: Parameters<typeof runCommand>[1]) => keeping.leads('erase', 'ANA@ClinicaSol.example', ...options);
	expect(await erase()).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
	const asked: string[] = [];
	const no = async (question: string) => asked.push(question) < 1;
	const refused = await runCommand('leads', ['erase', lead.email], { env: keeping.env, ask: no });
	expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was done') });
	expect(asked).toEqual(['Delete 2 entries and 1 API key of ana@clinicasol.example for good?']);
	const { code, stdout } = await erase('--yes', '--json');
	expect([code, JSON.parse(stdout)]).toEqual([0, { erased: 2, erasedKeys: 1, erasedFingerprints: 0, scrubbed: true }]);
	expect((await keeping.leads('list')).stdout).toContain('0 leads');
});

test('test sends a marked lead to each channel and recipient, reports each, fails if one did, and stores nothing', async () => {
	await using receiver = await startWebhookReceiver();
	await using smtp = await startSmtpServer({ refuse: { 'second@website.test': 550 } });
	const mail = { ...smtp.settings, LEAD_EMAIL_TO: 'first@website.test,second@website.test' };
	await using keeping = await startLeadKeeping({ ...mail, LEAD_WEBHOOK_URL: receiver.url });
	expect((await runLeads(['test'], { LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url })).code).toBe(0);
	const { code, stdout } = await keeping.leads('test', '--json');
	const json = { channel: expect.stringContaining('json:'), ok: true };
	const failed = { channel: 'email-2', ok: false, reason: 'SMTP 550 to RCPT TO' };
	expect([code, JSON.parse(stdout)]).toMatchObject([1, { results: [{ channel: 'email-1', ok: true }, failed, json] }]);
	expect(receiver.requests[0]!.body).toContain('"name":"TEST lead"');
	expect((await keeping.leads('list')).stdout).toMatch(/^0 leads: /);
});

test('show, retry and release say why there is nothing for them to do, and what to do instead', async () => {
	await using keeping = await startLeadKeeping();
	const delivered = await keeping.take();
	await keeping.tried();
	const caught = await keeping.quarantine({ ...lead, website: 'https://clinicasol.example' });
	const refused = [
		[await keeping.leads('show', caught.slice(0, 4)), 'Write more of the id.'],
		[await keeping.leads('retry', delivered), 'Every channel has it, or tries it now: there is nothing to retry.'],
		[await keeping.leads('retry', caught), `It is in quarantine, untried. If it is real, run node`],
		[await keeping.leads('release', delivered), 'There is nothing to release: it is delivered, and no verdict calls it spam.'],
	] as const;
	for (const [{ code, stderr }, reason] of refused) expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
	expect(await keeping.leads('retry', '--parked')).toMatchObject({ code: 0, stdout: 'Nothing is parked.\n' });
});

test('a webhook’s URL, which is a credential, is never printed', async () => {
	await using broken = await startWebhookReceiver({ status: 404 });
	await using keeping = await startLeadKeeping({ LEAD_WEBHOOK_URL: broken.url });
	const id = await keeping.take();
	await keeping.tried({ state: 'parked', reason: 'HTTP 410' });
	const calls = [['list'], ['list', '--json'], ['show', id], ['show', id, '--json'], ['test'], ['retry', id], ['export']];
	const printed = await Promise.all(calls.map((args) => keeping.leads(...args)));
	expect(printed.map(({ stdout }) => stdout).join('')).toContain('json:127.0.0.1');
	expect(JSON.stringify(printed)).not.toContain('secret-part');
});

test('a page says how to ask for the next one, and both have the leads that were asked for', async () => {
	await using keeping = await startLeadKeeping();
	const source = "/it's here";
	for (const name of ['Ana', 'Bob', 'Eve', 'Zoe']) await keeping.take({ name, source });
	await keeping.take({ name: 'Kim', source: '/contact' });
	await keeping.tried();
	await keeping.take({ name: 'Lea', source });
	const wanted = ['list', '--state', 'delivered', '--source', source, '--long', '--limit', '2'];
	const first = await keeping.leads(...wanted);
	expect(first.stdout).toMatch(/^lead .*\n +Zoe · [^]*^lead .*\n +Eve · /m);
	expect(first.stdout).not.toMatch(/Ana|Bob|Kim|Lea/);
	const [, before] = /^There are older ones: add --before (\S+) to this command\.$/m.exec(first.stdout)!;
	const newest = { name: 'Zoe', kind: 'lead', state: 'delivered', deliveries: [{ tries: 1, nextTry: null, lastError: null }] };
	const counts = { waiting: 1, delivered: 5, parked: 0, quarantined: 0 };
	const next = expect.stringMatching(new RegExp(`${idPartOf(before!)}$`));
	const page: unknown = JSON.parse((await keeping.leads(...wanted, '--json')).stdout);
	expect(page).toMatchObject({ entries: [newest, { name: 'Eve' }], counts, next });
	const last = await keeping.leads(...wanted, '--before', before!);
	expect(last.stdout).toMatch(/^lead .*\n +Bob · [^]*^lead .*\n +Ana · /m);
	expect(last.stdout).not.toMatch(/older ones|false|Zoe|Eve|Kim/);
});

test('a lead has a row for each channel, with its next try or its last error, and is named in the first', async () => {
	await using keeping = await startLeadKeeping({ LEAD_WEBHOOK_URL: 'https://gone.example https://down.example' });
	await keeping.take();
	await keeping.tried({ state: 'parked', reason: 'HTTP 410' }, 'json:gone.example');
	await keeping.tried({ state: 'waiting', wait: 7_200_000, reason: 'HTTP 500' }, 'json:down.example');
	const { stdout } = await keeping.leads('list');
	expect(stdout).toMatch(/^ENTRY +RECEIVED UTC +STATE +CHANNEL +TRIES +NEXT TRY +LAST ERROR$/m);
	expect(stdout).toMatch(/^lead [\dA-Z]{4}-[\dA-Z]{4} +\d+ \w{3} \d\d:\d\d +(waiting|parked) .*\n {20,}(waiting|parked) /m);
	expect(stdout).toMatch(/ parked +json:\S+ +1 +HTTP 410$/m);
	expect(stdout).toMatch(/ waiting +json:\S+ +1 +in 2 hours +HTTP 500$/m);
	expect(stdout).toContain('1 lead: 0 waiting, 0 delivered, 1 parked, 0 quarantined.');
	expect(stdout).not.toMatch(/Ana|clinicasol/);
	const [, id] = /^lead (\S+)/m.exec(stdout)!;
	expect((await keeping.leads('show', id!)).stdout).toMatch(/^json:\S+ +waiting +1 +20\d\d-.* UTC +HTTP 500$/m);
});
