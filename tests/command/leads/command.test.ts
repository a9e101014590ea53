import { expect, test } from 'vitest';
import { leadFields } from '../../../src/lead/lead.ts';
import { service } from '../../../src/facts/load.ts';
import { runLeads } from '../../support/leads-command.ts';
import { runCommand } from '../../support/operator-command.ts';
import { formOf, lead, postBody, postLead } from '../../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
import { startServer } from '../../support/server.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { startStoring } from '../../support/storing-server.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

type Storing = Awaited<ReturnType<typeof startStoring>>;

const entriesOf = async ({ leads }: Storing) => (JSON.parse((await leads('list', '--json')).stdout) as Listed).entries;

const idOfFirst = async (storing: Storing) => (await entriesOf(storing)).findLast(({ kind }) => kind === 'lead')!.id;

const idOf = async (wanted: string, storing: Storing) => (await entriesOf(storing)).find(({ state }) => state === wanted)!.id;

interface Listed {
	entries: { id: string; kind: string; state: string; deliveries: object[] }[];
	counts: Record<string, number>;
}

test('list shows each delivery with state, tries and last error, and counts, without a word of the lead', async () => {
	await using storing = await startStoring({}, { status: 410 });
	await postLead(storing.server.url);
	await storing.server.process.printed(/parked/);
	const { code, stdout } = await storing.leads('list');
	const row = /^lead [0-9a-f]{8} +\d+ \w{3} \d\d:\d\d +parked +json:127\.0\.0\.1:\d+ +1 +HTTP 410$/m;
	expect([code, stdout]).toEqual([0, expect.stringMatching(row)]);
	expect(stdout).toContain('1 lead: 0 waiting, 0 delivered, 1 parked, 0 quarantined.');
	expect(stdout).toContain('retry --parked');
	expect(stdout).not.toMatch(/Ana|clinicasol/);
});

test('list --json has the same for programs, and --state leaves others out', async () => {
	await using storing = await startStoring();
	await postLead(storing.server.url);
	await storing.server.process.printed(/Delivered/);
	const [all, parked] = [await storing.leads('list', '--json'), await storing.leads('list', '--json', '--state', 'parked')];
	const { entries, counts } = JSON.parse(all.stdout) as Listed;
	expect(entries).toMatchObject([
		{ kind: 'lead', state: 'delivered', deliveries: [{ tries: 1, nextTry: null, lastError: null }] },
	]);
	expect(counts).toEqual({ waiting: 0, delivered: 1, parked: 0, quarantined: 0 });
	expect(JSON.parse(parked.stdout)).toMatchObject({ entries: [], counts });
});

test('show prints everything of one lead, by the end of its id, evidence of consent included', async () => {
	await using storing = await startStoring();
	await postBody(storing.server.url, { ...lead, message: 'First\nSecond', lang: 'es', source: '/es/contact' });
	await storing.server.process.printed(/Delivered/);
	const id = await idOfFirst(storing);
	const { stdout } = await storing.leads('show', id.slice(-8));
	expect(stdout).toContain(`lead ${id}\ndelivered, received 2`);
	expect(stdout).toMatch(/^Clinic +Clínica Sol$/m);
	expect(stdout).toMatch(/^Message +First\n +Second$/m);
	expect(stdout).toMatch(/^Consent +given to the privacy notice of \S+, .* UTC, “.+”, language es, on \/es\/contact$/m);
	expect(stdout).toMatch(/^json:127\.0\.0\.1:\d+ +delivered +1 +.* UTC$/m);
});

test('show says what filled the honeypot, and of what evidence of consent there is none', async () => {
	await using storing = await startStoring();
	await postBody(storing.server.url, { name: 'Bot', website: 'https://clinicasol.example' });
	const [{ id } = { id: '' }] = await entriesOf(storing);
	const { stdout } = await storing.leads('show', id);
	expect(stdout).toMatch(/^Honeypot +https:\/\/clinicasol\.example$/m);
	expect(stdout).toMatch(/^Consent +not given$/m);
	expect(stdout).toMatch(/^No deliveries\.$/m);
	const forPrograms: unknown = JSON.parse((await storing.leads('show', id, '--json')).stdout);
	expect(forPrograms).toMatchObject({ id, kind: 'lead', state: 'quarantined', lead: { name: 'Bot' }, deliveries: [] });
});

test('where several ids begin alike, more of one is asked for', async () => {
	await using storing = await startStoring();
	for (const name of ['Bob', 'Eve']) await postLead(storing.server.url, { name });
	const entries = await entriesOf(storing);
	expect(await storing.leads('show', entries[0]!.id.slice(0, 4))).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^More than one entry .*more of the id/),
	});
	const shown = await Promise.all(entries.map(({ id }) => storing.leads('show', id.slice(-8))));
	expect(shown.map(({ code }) => code)).toEqual([0, 0]);
});

test.each([
	['one', (id: string) => ['retry', id.slice(-8)]],
	['all that are parked', () => ['retry', '--parked']],
])('retry makes %s due again, and the running server tries', async (_, argsFor) => {
	await using storing = await startStoring({}, { status: 410 });
	await postLead(storing.server.url);
	await storing.server.process.printed(/parked/);
	const id = await idOfFirst(storing);
	const { code, stdout } = await storing.leads(...argsFor(id));
	expect([code, stdout]).toEqual([0, expect.stringContaining('Due now: 1 delivery.')]);
	// The server looks every 15 seconds, and whenever a lead arrives.
	await postBody(storing.server.url, { ...lead, name: 'Bob' });
	await storing.receiver.received(3);
	expect(storing.receiver.requests.filter(({ headers }) => headers['webhook-id'] === id)).toHaveLength(2);
});

test('move gives to a corrected channel what waits for its old name, which the log, list and retry name', async () => {
	await using storing = await startStoring({}, { status: 410 });
	await postLead(storing.server.url);
	await storing.server.process.printed(/parked/);
	await storing.server[Symbol.asyncDispose]();
	await using receiver = await startWebhookReceiver();
	const [from, to] = ['json', 'slack'].map((format, n) => `${format}:${new URL([storing.receiver, receiver][n]!.url).host}`);
	const env = { ...storing.env, LEAD_WEBHOOK_URL: receiver.url, LEAD_WEBHOOK_FORMAT: 'slack' };
	await using server = await startServer(env);
	expect(server.process.output).toContain(`"channel":"${from}"`);
	for (const args of [['list'], ['retry', '--parked']])
		expect((await runLeads(args, env)).stdout).toContain(`nobody tries: ${from}.`);
	expect(await runLeads(['move', from!, 'email'], env)).toMatchObject({ code: 1, stderr: expect.stringContaining(to!) });
	expect(await runLeads(['move', 'other', to!], env)).toMatchObject({ code: 1, stderr: expect.stringContaining(from!) });
	expect(await runLeads(['move', from!, to!], env)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 delivery') });
	expect((await runLeads(['list'], env)).stdout).not.toContain('nobody tries');
	// The server looks every 15 seconds, and whenever a lead arrives.
	await postBody(server.url, { ...lead, name: 'Bob' });
	await receiver.received(2);
});

test('export writes JSON Lines with every field, or CSV in which a phone number is no formula', async () => {
	await using storing = await startStoring();
	await postBody(storing.server.url, { ...lead, phone: '+34 600', message: '=1+1' });
	await storing.server.process.printed(/Delivered/);
	const [lines, csv] = [await storing.leads('export'), await storing.leads('export', '--csv')];
	expect(JSON.parse(lines.stdout)).toMatchObject({ ...lead, phone: '+34 600', message: '=1+1', state: 'delivered' });
	expect((await storing.leads('--json', 'export')).stdout).toBe(lines.stdout);
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

test('erase asks first, and where nobody can be asked it wants --yes', async () => {
	await using storing = await startStoring();
	await postLead(storing.server.url);
	const unsure = await storing.leads('erase', lead.email);
	expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining('--yes')]);
	const { code, stdout } = await storing.leads('erase', 'ANA@ClinicaSol.example', '--yes', '--json');
	expect([code, JSON.parse(stdout)]).toEqual([0, { erased: 1, erasedKeys: 0 }]);
	expect((await storing.leads('erase', lead.email, '--yes')).code).toBe(1);
});

test('erase at a terminal says how much it is of, and deletes it for a yes only', async () => {
	await using storing = await startStoring();
	for (const name of ['Ana', 'Eve']) await postLead(storing.server.url, { name });
	const env = { ...storing.env, NODE_OPTIONS: '--import=data:text/javascript,process.stdin.isTTY=true' };
	const eraseSaying = (input: string) => runCommand('leads', ['erase', lead.email], { env, input });
	for (const no of ['n\n', '\n'])
		expect(await eraseSaying(no)).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^Delete 2 entries of ana@clinicasol\.example for good\? \[y\/N\] [^]*Nothing was deleted/),
		});
	expect(await eraseSaying('Yes\n')).toMatchObject({ code: 0, stdout: expect.stringContaining('Deleted 2 entries of ana@') });
	expect((await storing.leads('list')).stdout).toContain('0 leads');
});

test('export goes through all leads, however many pages of the store they are', async () => {
	await using storing = await startStoring({ LEAD_RATE_LIMIT: 'off' });
	const messages = Array.from({ length: 501 }, (_, number) => `Lead ${number}`);
	await Promise.all(messages.map((message) => postLead(storing.server.url, { message })));
	const { code, stdout } = await storing.leads('export');
	const lines = stdout.trim().split('\n');
	const exported = lines.map((line) => (JSON.parse(line) as { message: string }).message);
	expect([code, exported.toSorted()]).toEqual([0, messages.toSorted()]);
	expect((await storing.leads('export', '--csv')).stdout.split('\r\n')).toHaveLength(501 + 2);
});

test('purge deletes what was delivered and is older than LEAD_RETENTION', async () => {
	await using storing = await startStoring();
	await postLead(storing.server.url);
	await storing.server.process.printed(/Delivered/);
	expect((await storing.leads('purge')).stdout).toContain('Nothing to delete');
	const { stdout } = await runLeads(['purge', '--json'], { ...storing.env, LEAD_RETENTION: '0' });
	expect(JSON.parse(stdout)).toEqual({ purged: 1 });
});

test('test sends a marked lead to each channel, reports each, fails if one did, and stores nothing', async () => {
	await using storing = await startStoring();
	await using broken = await startWebhookReceiver({ status: 404 });
	const env = { ...storing.env, LEAD_WEBHOOK_URL: `${storing.receiver.url} ${broken.url}` };
	const [well, ill] = [await storing.leads('test'), await runLeads(['test'], env)];
	expect([well.code, ill.code]).toEqual([0, 1]);
	expect(ill.stdout).toMatch(/^json:\S+ +ok\njson:\S+ +failed +HTTP 404$/m);
	expect(ill.stdout).toMatch(/^CHANNEL +RESULT +REASON$/m);
	const { results } = JSON.parse((await runLeads(['test', '--json'], env)).stdout) as { results: object[] };
	expect(results).toContainEqual({ channel: expect.stringContaining('json:'), ok: true });
	expect(results).toContainEqual({ channel: expect.stringContaining('json:'), ok: false, reason: 'HTTP 404' });
	const { code, stderr } = await runLeads(['test'], { LEAD_STORE: storing.env.LEAD_STORE });
	expect([code, stderr]).toEqual([1, expect.stringContaining('No channel is configured: set SMTP_URL')]);
	expect(storing.receiver.requests[0]!.body).toContain('"name":"TEST lead"');
	expect((await storing.leads('list')).stdout).toMatch(/^0 leads: /);
});

test.each([
	[[], 'list'],
	[['lsit'], 'Did you mean list?'],
	[['show'], `missing required argument 'ID'`],
	[['list', 'more'], `too many arguments for 'list'`],
	[['list', '--csv'], `unknown option '--csv'`],
	[['list', '--state', 'lost'], 'waiting, delivered, parked, quarantined'],
	[['list', '--limit', '0'], '--limit is a number, for example --limit 50'],
	[['list', '--limit', '1e9'], '--limit is a number'],
	[['list', '--limit', 'x5'], '--limit is a number'],
	[['list', '--limit', '9999999'], '--limit is a number'],
	[['retry'], 'retry --parked'],
	[['retry', 'a', '--parked'], 'retry --parked'],
	[['erase', 'ana'], 'not an email address'],
])('called as %j it exits with 2 and says what is right', async (args, said) => {
	await using storing = await abandonedStore();
	const { code, stdout, stderr } = await runLeads(args, storing.env);
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
	await using storing = await abandonedStore();
	const { code, stdout, stderr } = await runLeads(args, storing.env);
	expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(reason)]);
	const forPrograms = await runLeads([...args, '--json'], storing.env);
	expect(JSON.parse(forPrograms.stdout)).toEqual({ error: expect.stringContaining(reason) });
});

test('retry and release say why there is nothing for them to do, and what to do instead', async () => {
	await using storing = await startStoring();
	await postLead(storing.server.url);
	await storing.server.process.printed(/Delivered/);
	const delivered = await idOfFirst(storing);
	await postBody(storing.server.url, { ...lead, website: 'https://clinicasol.example' });
	const caught = await idOf('quarantined', storing);
	const without = { LEAD_STORE: storing.env.LEAD_STORE };

	const refused = [
		[await storing.leads('retry', delivered), 'Every channel has it: there is nothing to retry.'],
		[await storing.leads('retry', caught), `It is in quarantine, and was never tried. If it is real, run node`],
		[await storing.leads('release', delivered), 'It is not in quarantine, and nothing took it for spam: it is delivered.'],
		[await runLeads(['release', caught], without), 'There is no channel to release it to: set SMTP_URL'],
	] as const;
	for (const [{ code, stderr }, reason] of refused) expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);

	expect(await storing.leads('retry', '--parked')).toMatchObject({ code: 0, stdout: 'Nothing is parked.\n' });
	expect(JSON.parse((await storing.leads('retry', '--parked', '--json')).stdout)).toEqual({ retried: 0 });
	expect(JSON.parse((await storing.leads('release', caught, '--json')).stdout)).toEqual({
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
	await using storing = await startStoring({}, { status: 404 });
	await postLead(storing.server.url);
	await storing.server.process.printed(/parked/);
	const id = await idOfFirst(storing);
	const calls = [['list'], ['list', '--json'], ['show', id], ['show', id, '--json'], ['test'], ['retry', id], ['export']];
	const printed = await Promise.all(calls.map((args) => storing.leads(...args)));
	expect(printed.map(({ stdout }) => stdout).join('')).toContain('json:127.0.0.1');
	expect(JSON.stringify(printed)).not.toContain('secret-part');
});

test('a visitor’s confirmation is listed, shown, not exported, and erased with the lead', async () => {
	await using smtp = await startSmtpServer();
	await using storing = await startStoring({ ...smtp.settings, LEAD_EMAIL_CONFIRM: 'on' });
	await postLead(storing.server.url);
	await storing.server.process.printed(/"confirmation":"[^]*Delivered/);
	const { stdout } = await storing.leads('list');
	const [, id] = /^confirmation ([0-9a-f]{8}) /m.exec(stdout)!;
	expect(stdout).not.toContain('Not among the channels');
	expect((await storing.leads('show', id!)).stdout).toMatch(/^To +ana@clinicasol\.example$/m);
	expect((await storing.leads('export')).stdout.trim().split('\n')).toHaveLength(1);
	expect((await storing.leads('erase', lead.email, '--yes')).stdout).toContain('Deleted 2 entries');
});

test.skipIf(postgresMissing)('on PostgreSQL it lists, releases and erases while the server runs', async () => {
	await using postgres = await startPostgres();
	const LEAD_STORE = await postgres.createDatabase();
	await using storing = await startStoring({ LEAD_STORE });
	await postBody(storing.server.url, { ...lead, website: 'https://clinicasol.example' });
	expect((await storing.leads('release', await idOfFirst(storing))).code).toBe(0);
	await postBody(storing.server.url, { ...lead, email: 'bob@example.com' });
	await storing.receiver.received(3);
	expect((await storing.leads('erase', lead.email, '--yes')).stdout).toContain('Deleted 1 entry');
	const { counts } = JSON.parse((await storing.leads('list', '--json')).stdout) as Listed;
	expect(counts).toMatchObject({ delivered: 1, quarantined: 0 });
});

/** Returns a store that a server created and left. */
async function abandonedStore() {
	const storing = await startStoring();
	storing.server.process.signal('SIGTERM');
	await storing.server.process.exit();
	return storing;
}
