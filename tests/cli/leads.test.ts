import { expect, test } from 'vitest';
import { leadFields } from '../../src/lead/lead.ts';
import { service } from '../../src/facts/load.ts';
import { startLeadKeeping, startStoring } from '../support/lead-places.ts';
import { runCommand, runLeads } from '../support/operator-command.ts';
import { formOf, lead, postBody, postLead } from '../support/post-lead.ts';
import { shared } from '../support/shared.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

interface Listed {
	entries: { id: string; kind: string; state: string; deliveries: object[] }[];
	counts: Record<string, number>;
}

const empty = shared(() => startLeadKeeping());
const gone = { state: 'parked', reason: 'HTTP 410' } as const;

test('list shows each delivery with state, tries and last error, and counts, without a word of the lead', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take();
	await keeping.tried(gone);
	const { code, stdout } = await keeping.leads('list');
	const row = /^lead [0-9a-f]{8} +\d+ \w{3} \d\d:\d\d +parked +json:hooks\.example +1 +HTTP 410$/m;
	expect([code, stdout]).toEqual([0, expect.stringMatching(row)]);
	expect(stdout).toContain('1 lead: 0 waiting, 0 delivered, 1 parked, 0 quarantined.');
	expect(stdout).toContain('retry --parked');
	expect(stdout).not.toMatch(/Ana|clinicasol/);
});

test('list --json has the same for programs, and --state leaves others out', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take();
	await keeping.tried();
	const [all, parked] = [await keeping.leads('list', '--json'), await keeping.leads('list', '--json', '--state', 'parked')];
	const { entries, counts } = JSON.parse(all.stdout) as Listed;
	expect(entries).toMatchObject([
		{ kind: 'lead', state: 'delivered', deliveries: [{ tries: 1, nextTry: null, lastError: null }] },
	]);
	expect(counts).toEqual({ waiting: 0, delivered: 1, parked: 0, quarantined: 0 });
	expect(JSON.parse(parked.stdout)).toMatchObject({ entries: [], counts });
});

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
});

test('show says what filled the honeypot, and of what evidence of consent there is none', async () => {
	await using keeping = await startLeadKeeping();
	const id = await keeping.quarantine({ name: 'Bot', website: 'https://clinicasol.example' });
	const { stdout } = await keeping.leads('show', id);
	expect(stdout).toMatch(/^Honeypot: https:\/\/clinicasol\.example$/m);
	expect(stdout).toMatch(/^Consent: not given$/m);
	expect(stdout).toMatch(/^No deliveries\.$/m);
	const forPrograms: unknown = JSON.parse((await keeping.leads('show', id, '--json')).stdout);
	expect(forPrograms).toMatchObject({ id, kind: 'lead', state: 'quarantined', lead: { name: 'Bot' }, deliveries: [] });
});

test('where several ids begin alike, more of one is asked for', async () => {
	await using keeping = await startLeadKeeping();
	const ids = [await keeping.take({ name: 'Bob' }), await keeping.take({ name: 'Eve' })];
	expect(await keeping.leads('show', ids[0]!.slice(0, 4))).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^More than one entry .*more of the id/),
	});
	const shown = await Promise.all(ids.map((id) => keeping.leads('show', id.slice(-8))));
	expect(shown.map(({ code }) => code)).toEqual([0, 0]);
});

test.each([
	['one', (id: string) => ['retry', id.slice(-8)]],
	['all that are parked', () => ['retry', '--parked']],
])('retry makes %s due again', async (_, argsFor) => {
	await using keeping = await startLeadKeeping();
	const id = await keeping.take();
	await keeping.tried(gone);
	const { code, stdout } = await keeping.leads(...argsFor(id));
	expect([code, stdout]).toEqual([0, expect.stringContaining('Due now: 1 delivery.')]);
	expect(await keeping.tried()).toBe(1);
});

test('a lead for a channel that is gone is named by list, and retry delivers it over the channels there are', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take();
	const env = { ...keeping.env, LEAD_WEBHOOK_URL: 'https://other.example/secret-part' };
	expect((await runLeads(['list'], env)).stdout).toMatch(/so nobody tries: json:hooks\.example\. .* retry --parked$/m);
	expect((await runLeads(['retry', '--parked'], env)).stdout).toContain('Due now: 1 delivery.');
	expect(await keeping.tried({ state: 'sent' }, 'json:other.example')).toBe(1);
	expect((await runLeads(['list'], env)).stdout).toMatch(/ ended +json:hooks\.example .*\n +delivered +json:other\.example /);
});

test('a running server tries what retry has made due, under the same id', async () => {
	await using storing = await startStoring({}, { status: 410 });
	await postLead(storing.server.url);
	await expect.poll(async () => (await storing.leads('list')).stdout).toContain('1 parked');
	expect((await storing.leads('retry', '--parked')).code).toBe(0);
	// The server looks every 15 seconds, and whenever a lead arrives.
	await postBody(storing.server.url, { ...lead, name: 'Bob' });
	await storing.receiver.received(3);
	expect(new Set(storing.receiver.requests.map(({ headers }) => headers['webhook-id']))).toHaveLength(2);
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
	expect(Object.fromEntries(head!.map((name, index) => [name, row![index]]))).toMatchObject({
		...Object.fromEntries(formOf(lead)),
		phone: "'+34 600",
		country: '',
		message: "'=1+1",
		state: 'delivered',
		noticeVersion: service.privacyNotice.version,
	});
});

test('export goes through all leads, however many pages of the store they are', async () => {
	await using keeping = await startLeadKeeping();
	const messages = Array.from({ length: 501 }, (_, number) => `Lead ${number}`);
	for (const message of messages) await keeping.take({ message });
	const { code, stdout } = await keeping.leads('export');
	const lines = stdout.trim().split('\n');
	const exported = lines.map((line) => (JSON.parse(line) as { message: string }).message);
	expect([code, exported.toSorted()]).toEqual([0, messages.toSorted()]);
	expect((await keeping.leads('export', '--csv')).stdout.split('\r\n')).toHaveLength(501 + 2);
});

test('erase asks first, and where nobody can be asked it wants --yes', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take();
	const unsure = await keeping.leads('erase', lead.email);
	expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining('--yes')]);
	const { code, stdout } = await keeping.leads('erase', 'ANA@ClinicaSol.example', '--yes', '--json');
	expect([code, JSON.parse(stdout)]).toEqual([0, { erased: 1, erasedKeys: 0, scrubbed: true }]);
	expect((await keeping.leads('erase', lead.email, '--yes')).code).toBe(1);
});

test('erase at a terminal says how much it is of, and deletes it for a yes only', async () => {
	await using keeping = await startLeadKeeping();
	for (const name of ['Ana', 'Eve']) await keeping.take({ name });
	const env = { ...keeping.env, NODE_OPTIONS: '--import=data:text/javascript,process.stdin.isTTY=true' };
	const eraseSaying = (input: string) => runCommand('leads', ['erase', lead.email], { env, input });
	const stderr = expect.stringMatching(/^Delete 2 entries of ana@clinicasol\.example for good\? \[y\/N\] [^]*Nothing was done/);
	// Enter, and Ctrl+D.
	for (const input of ['\n', '']) expect(await eraseSaying(input)).toMatchObject({ code: 1, stderr });
	expect(await eraseSaying('Yes\n')).toMatchObject({ code: 0, stdout: expect.stringContaining('Deleted 2 entries of ana@') });
	expect((await keeping.leads('list')).stdout).toContain('0 leads');
});

test('test sends a marked lead to each channel, reports each, fails if one did, and stores nothing', async () => {
	await using well = await startWebhookReceiver();
	await using broken = await startWebhookReceiver({ status: 404 });
	await using keeping = await startLeadKeeping({ LEAD_WEBHOOK_URL: `${well.url} ${broken.url}` });
	expect((await runLeads(['test'], { ...keeping.env, LEAD_WEBHOOK_URL: well.url })).code).toBe(0);
	const { code, stdout } = await keeping.leads('test');
	expect([code, stdout]).toEqual([1, expect.stringMatching(/^json:\S+ +ok\njson:\S+ +failed +HTTP 404$/m)]);
	expect(stdout).toMatch(/^CHANNEL +RESULT +REASON$/m);
	const { results } = JSON.parse((await keeping.leads('test', '--json')).stdout) as { results: object[] };
	expect(results).toContainEqual({ channel: expect.stringContaining('json:'), ok: true });
	expect(results).toContainEqual({ channel: expect.stringContaining('json:'), ok: false, reason: 'HTTP 404' });
	const none = await runLeads(['test'], { LEAD_STORE: keeping.env.LEAD_STORE });
	expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('There is no channel: set SMTP_URL')]);
	expect(well.requests[0]!.body).toContain('"name":"TEST lead"');
	expect((await keeping.leads('list')).stdout).toMatch(/^0 leads: /);
});

test.each([
	[[], 'list'],
	[['lsit'], 'Did you mean list?'],
	[['show'], `missing required argument 'ID'`],
	[['list', 'more'], `too many arguments for 'list'`],
	[['list', '--csv'], `unknown option '--csv'`],
	[['list', '--state', 'lost'], 'waiting, delivered, parked, quarantined'],
	[['list', '--limit', '0'], 'must be a number, for example --limit 50'],
	[['list', '--limit', '9999999'], 'must be a number'],
	[['stats', '--since', 'yesterday'], 'for example 30d'],
	[['retry'], 'retry --parked'],
	[['retry', 'a', '--parked'], 'retry --parked'],
	[['erase', 'ana'], 'must be an email address'],
])('called as %j it exits with 2 and says what is right', async (args, said) => {
	const { code, stdout, stderr } = await empty().leads(...args);
	expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)]);
	expect(stderr).not.toContain('    at ');
});

test.each([
	[['show', '0000'], 'There is no entry 0000.'],
	[['show', 'Ana'], 'There is no entry Ana.'],
	[['retry', '0000'], 'There is no entry 0000.'],
	[['release', '0000'], 'There is no entry 0000.'],
	[['erase', 'nobody@example.com', '--yes'], 'Nothing is kept of nobody@example.com.'],
])('%j matches nothing and exits with 1, for programs with a reason', async (args, reason) => {
	const { code, stdout, stderr } = await empty().leads(...args);
	expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(reason)]);
	const forPrograms = await empty().leads(...args, '--json');
	expect(JSON.parse(forPrograms.stdout)).toEqual({ error: expect.stringContaining(reason) });
});

test('retry and release say why there is nothing for them to do, and what to do instead', async () => {
	await using keeping = await startLeadKeeping();
	const delivered = await keeping.take();
	await keeping.tried();
	const caught = await keeping.quarantine({ ...lead, website: 'https://clinicasol.example' });
	const without = { LEAD_STORE: keeping.env.LEAD_STORE };

	const refused = [
		[await keeping.leads('retry', delivered), 'Every channel has it, or tries it now: there is nothing to retry.'],
		[await keeping.leads('retry', caught), `It is in quarantine, and was never tried. If it is real, run node`],
		[await keeping.leads('release', delivered), 'It is not in quarantine, and nothing took it for spam: it is delivered.'],
		[await runLeads(['release', caught], without), 'There is no channel: set SMTP_URL'],
		[await runLeads(['retry', delivered], without), 'There is no channel: set SMTP_URL'],
	] as const;
	for (const [{ code, stderr }, reason] of refused) expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);

	expect(await keeping.leads('retry', '--parked')).toMatchObject({ code: 0, stdout: 'Nothing is parked.\n' });
	expect(JSON.parse((await keeping.leads('retry', '--parked', '--json')).stdout)).toEqual({ retried: 0 });
	expect(JSON.parse((await keeping.leads('release', caught, '--json')).stdout)).toEqual({
		released: [caught],
		failed: [],
	});
});

test.each([
	[{ LEAD_STORE: 'none' }, 'LEAD_STORE is none'],
	[{ LEAD_STORE: 'sqlite:/nowhere/leads.db' }, 'There is no lead store at /nowhere/leads.db'],
	[{ LEAD_STORE: 'postgres://me:hidden@127.0.0.1:1/leads' }, 'database leads on 127.0.0.1'],
	[{ LEAD_STORE: 'mysql://me:hidden@localhost' }, 'LEAD_STORE must be'],
])('with %j it exits with 1 and says why, without a password', async (env, said) => {
	const { code, stderr } = await runLeads(['list'], env);
	expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
	expect(stderr).not.toMatch(/hidden| {4}at /);
});

test('a webhook’s URL, which is a credential, is never printed', async () => {
	await using broken = await startWebhookReceiver({ status: 404 });
	await using keeping = await startLeadKeeping({ LEAD_WEBHOOK_URL: broken.url });
	const id = await keeping.take();
	await keeping.tried(gone);
	const calls = [['list'], ['list', '--json'], ['show', id], ['show', id, '--json'], ['test'], ['retry', id], ['export']];
	const printed = await Promise.all(calls.map((args) => keeping.leads(...args)));
	expect(printed.map(({ stdout }) => stdout).join('')).toContain('json:127.0.0.1');
	expect(JSON.stringify(printed)).not.toContain('secret-part');
});

test('a visitor’s confirmation is listed, shown, not exported, and erased with the lead', async () => {
	await using smtp = await startSmtpServer();
	await using storing = await startStoring({ ...smtp.settings, LEAD_EMAIL_CONFIRM: 'on' });
	await postLead(storing.server.url);
	const list = async () => (await storing.leads('list')).stdout;
	await expect.poll(list).toMatch(/^confirmation [0-9a-f]{8} .* delivered /m);
	const stdout = await list();
	const [, id] = /^confirmation ([0-9a-f]{8}) /m.exec(stdout)!;
	expect(stdout).not.toContain('Not among the channels');
	expect((await storing.leads('show', id!)).stdout).toMatch(/^To: ana@clinicasol\.example$/m);
	expect((await storing.leads('export')).stdout.trim().split('\n')).toHaveLength(1);
	expect((await storing.leads('erase', lead.email, '--yes')).stdout).toContain('Deleted 2 entries');
});
