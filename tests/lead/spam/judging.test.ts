import { expect, test } from 'vitest';
import { service } from '../../../src/facts/load.ts';
import { runCommand } from '../../support/operator-command.ts';
import { startFunction } from '../../support/function.ts';
import { type LeadValues, postLead } from '../../support/post-lead.ts';
import { connectedTo, postgresMissing, startPostgres } from '../../support/postgres.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { startStoring } from '../../support/storing-server.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';
import { testWhereIssued } from '../../support/where-issued.ts';

/** One strong signal: a link for a name. */
const suspicious = { name: 'Ana, see https://win.example/now', clinic: 'Sol' };
/** Two strong signals: a link for a name, and random letters in two fields. */
const spam = { name: 'https://win.example/now XkQzBvTrPlWs', clinic: 'hGtRnMwQpLzXc' };
/** Long enough to be known again. */
const offer =
	'Our calendars are made for firms of your size and trade, and forty firms in your town already have one of them. ' +
	'Every one comes with a stand, and with the feasts of the saints. Look at https://calendars.example/buy';

interface Listed {
	entries: { id: string; kind: string; state: string; spam?: { verdict: string; signals: string[] } }[];
}

/** Starts a server that delivers by mail, to a JSON webhook and to a chat. */
async function startTeam(settings: Record<string, string> = {}) {
	const [smtp, chat] = [await startSmtpServer(), await startWebhookReceiver()];
	const webhook = await startWebhookReceiver();
	const channels = { LEAD_WEBHOOK_URL: `${webhook.url} ${chat.url}`, LEAD_WEBHOOK_FORMAT: 'json mattermost' };
	const storing = await startStoring({ ...smtp.settings, ...channels, ...settings });
	return {
		...storing,
		mails: smtp.mails,
		chat,
		webhook,
		/** Sends a lead, and waits for the mail of it. */
		async mailOf(fields: LeadValues) {
			const before = smtp.mails.length;
			await postLead(storing.server.url, fields);
			await expect.poll(() => smtp.mails.length).toBe(before + 1);
			return smtp.mails[before]!.parsed;
		},
		/** Sends a lead, and waits until it was judged. @returns it as the list has it */
		async judged(fields: LeadValues) {
			await postLead(storing.server.url, fields);
			const newest = async () => (await this.list())[0]!;
			await expect.poll(newest).toHaveProperty('spam');
			return newest();
		},
		list: async (...args: string[]) =>
			(JSON.parse((await storing.leads('list', '--json', ...args)).stdout) as Listed).entries.filter(
				({ kind }) => kind === 'lead',
			),
		async [Symbol.asyncDispose]() {
			for (const resource of [storing, webhook, chat, smtp]) await resource[Symbol.asyncDispose]();
		},
	};
}

test('a lead with two strong signals is answered as any, held, told of with its reasons, and delivered when it is released', async () => {
	await using team = await startTeam();
	const [heldAnswer, answer] = [await postLead(team.server.url, spam), await postLead(team.server.url)];
	expect([heldAnswer.status, await heldAnswer.text()]).toEqual([answer.status, await answer.text()]);

	await expect.poll(() => team.mails.length).toBe(2);
	const notice = team.mails.find(({ parsed }) => parsed.subject!.includes('taken for spam'))!.parsed.text!;
	expect(notice).toMatch(/holds a web address[^]*random letters/);
	const [entry] = await team.list('--state', 'quarantined');
	expect(entry).toMatchObject({ spam: { verdict: 'held', signals: ['name-address', 'random-letters'] } });
	expect((await team.leads('list', '--state', 'quarantined')).stdout).toContain('random letters');

	const [, id] = /npm run leads -- release ([0-9a-f]{8})/.exec(notice)!;
	expect((await team.leads('release', id!)).code).toBe(0);
	// The server looks every 15 seconds, and whenever a lead arrives.
	await postLead(team.server.url, { email: 'bob@third.example' });
	await expect.poll(() => team.mails.length).toBe(4);
	const released = team.mails.find(({ parsed }) => parsed.messageId!.includes(entry!.id))!.parsed;
	expect(released.subject).not.toContain('[spam?]');
	expect(await team.list('--state', 'quarantined')).toEqual([]);
});

test('a held lead survives a kill before anybody was told', async () => {
	await using team = await startTeam();
	await team.judged(spam);
	team.server.process.signal('SIGKILL');
	await team.server.process.exit();
	expect(await team.list('--state', 'quarantined')).toMatchObject([{ spam: { verdict: 'held' } }]);
});

test('a lead with one strong signal is delivered with its reason: in subject, header, text, chat, webhook, list and show', async () => {
	await using team = await startTeam({ LEAD_LANGUAGE: 'de' });
	const mail = await team.mailOf(suspicious);
	expect(mail.subject).toMatch(/^\[spam\?\] /);
	expect(mail.headers.find(({ key }) => key === 'x-lead-spam')?.value).toBe('marked; signals=name-address');
	const reason = 'Name oder Praxis enthält eine Webadresse';
	expect(mail.text).toContain(reason);
	await Promise.all([team.webhook.received(1), team.chat.received(1)]);
	expect(team.chat.requests[0]!.body).toContain(reason);
	const judgement = { verdict: 'marked', signals: ['name-address'] };
	expect(JSON.parse(team.webhook.requests[0]!.body)).toMatchObject({ data: { spam: judgement } });
	await expect.poll(() => team.list()).toMatchObject([{ state: 'delivered', spam: judgement }]);
	const [entry] = await team.list();
	expect(JSON.parse((await team.leads('show', entry!.id, '--json')).stdout)).toMatchObject({ spam: judgement });
	expect((await team.leads('show', entry!.id)).stdout).toContain(reason);
});

test('an ordinary lead is delivered without a word of it, and programs read that it is clear', async () => {
	await using team = await startTeam();
	const mail = await team.mailOf({});
	expect(mail.subject).not.toContain('spam');
	expect(mail.headers.some(({ key }) => key === 'x-lead-spam')).toBe(false);
	await team.webhook.received(1);
	expect(JSON.parse(team.webhook.requests[0]!.body)).toMatchObject({ data: { spam: { verdict: 'clear', signals: [] } } });
});

test.each([
	['mark', { verdict: 'marked' }],
	['off', undefined],
])('LEAD_SPAM=%s holds nothing but hits of the honeypot', async (mode, judgement) => {
	await using team = await startTeam({ LEAD_SPAM: mode });
	const mail = await team.mailOf(spam);
	expect(mail.subject!.startsWith('[spam?]')).toBe(judgement !== undefined);
	await postLead(team.server.url, { website: 'x' });
	await expect.poll(() => team.list('--state', 'quarantined')).toMatchObject([{ spam: { signals: ['honeypot'] } }]);
	const find = async () => (await team.list()).find(({ state }) => state === 'delivered');
	await expect.poll(find).toBeDefined();
	const delivered = await find();
	if (judgement) expect(delivered).toMatchObject({ spam: judgement });
	else expect(delivered).not.toHaveProperty('spam');
});

testWhereIssued('a lead with an API key is only ever marked', async () => {
	await using team = await startTeam();
	const issued = await runCommand('keys', ['issue', '--name', 'Ana', '--email', 'ana@a.example', '--json'], { env: team.env });
	const { key } = JSON.parse(issued.stdout) as { key: string };
	await postLead(team.server.url, spam, { authorization: `Bearer ${key}` });
	await expect.poll(() => team.mails.length).toBe(1);
	expect(team.mails[0]!.parsed.subject).toMatch(/^\[spam\?\] /);
});

test.each([
	['a server', (env: Record<string, string>) => startStoring(env)],
	['a function', startFunction],
])('without a store %s marks within the request', async (_, start) => {
	await using smtp = await startSmtpServer();
	await using started = await start({ ...smtp.settings, LEAD_STORE: 'none', LEAD_WEBHOOK_URL: '' });
	const { url } = 'server' in started ? started.server : started;
	expect((await postLead(url, spam)).status).toBe(200);
	expect(smtp.mails[0]!.parsed.subject).toMatch(/^\[spam\?\] /);
});

test('the same offer from several firms is marked, from people of one firm it is not', async () => {
	await using team = await startTeam();
	const from = (host: string, clinic: string) => ({ email: `jo@${host}`, clinic, message: offer });
	await team.judged(from('one.example', 'Quick Funds'));
	expect(await team.judged({ ...from('one.example', 'Quick Funds, branch'), name: 'Bob' })).toMatchObject({
		spam: { verdict: 'clear' },
	});
	await team.judged(from('two.example', 'Growth Desk'));
	expect(await team.judged(from('three.example', 'Web Lift'))).toMatchObject({
		spam: { verdict: 'marked', signals: expect.arrayContaining(['repeated']) },
	});
});

test('what resembles a lead that was marked as spam is held, until that lead is erased; what was released is not', async () => {
	await using team = await startTeam();
	const first = await team.judged({ email: 'jo@one.example', message: offer });
	const { code, stdout } = await team.leads('spam', first.id);
	expect([code, stdout]).toEqual([0, expect.stringContaining('from now on')]);
	expect((await team.leads('spam', '--list')).stdout).toContain('calendars.example');

	const sameLink = { email: 'al@two.example', message: 'New prices: https://calendars.example/prices' };
	const second = await team.judged(sameLink);
	expect(second).toMatchObject({ state: 'quarantined', spam: { verdict: 'held', signals: ['trained'] } });
	const sameMessage = { email: 'cy@four.example', message: `Dear all,\n${offer.toUpperCase()}` };
	const third = await team.judged(sameMessage);
	expect(third).toMatchObject({ state: 'quarantined' });

	expect((await team.leads('release', second.id, third.id)).code).toBe(0);
	expect(await team.judged({ ...sameLink, email: 'di@five.example' })).toMatchObject({ spam: { verdict: 'clear' } });

	// Says it again, and takes everything back.
	await team.leads('spam', first.id);
	for (const email of ['al@two.example', 'cy@four.example', 'jo@one.example']) await team.leads('erase', email, '--yes');
	expect(JSON.parse((await team.leads('spam', '--list', '--json')).stdout)).toEqual({ remembered: [] });
	expect(await team.judged({ ...sameLink, email: 'ed@six.example' })).toMatchObject({ spam: { verdict: 'clear' } });
});

test('a link that many people have in common holds nobody: to our own site, to a search engine, to a map or a directory', async () => {
	await using team = await startTeam();
	const host = service.emails.sales.replace(/^.*@/, '');
	const pages = 'https://www.google.com/maps/place/Rank+One and https://www.doctolib.fr/dentiste/paris/rank-one';
	const first = await team.judged({
		email: 'jo@one.example',
		message: `Your site ${host}/prices is not on Google.com and bing.com. See ${pages}`,
	});
	expect((await team.leads('spam', first.id)).code).toBe(0);
	const innocent = `I found https://www.${host}/ on google.com or bing.com, and we are at https://www.google.com/maps/place/Sol`;
	const message = `${innocent} and https://www.doctolib.fr/dentiste/paris/sol`;
	expect(await team.judged({ email: 'al@two.example', message })).toMatchObject({ spam: { verdict: 'clear' } });
	const again = await team.judged({ email: 'ed@six.example', message: 'Look: https://www.google.com/maps/place/Rank+One.' });
	expect(again).toMatchObject({ spam: { verdict: 'held', signals: ['trained'] } });
});

test('the command says which of several leads it could not mark or release, and why', async () => {
	await using team = await startTeam();
	const { id } = await team.judged({ message: offer });
	const { code, stdout } = await team.leads('spam', id, 'ffffffff', '--json');
	expect([code, JSON.parse(stdout)]).toEqual([1, { spam: [id], failed: [{ id: 'ffffffff', reason: expect.any(String) }] }]);
	const cleared = await team.leads('release', id);
	expect([cleared.code, cleared.stdout]).toEqual([0, expect.stringContaining('no spam')]);
	expect((await team.leads('release', id)).code).toBe(1);
	expect((await team.leads('spam')).code).toBe(2);
});

test.skipIf(postgresMissing)('PostgreSQL keeps no statistics of messages, and forgets what was erased', async () => {
	await using postgres = await startPostgres();
	const LEAD_STORE = await postgres.createDatabase();
	await using team = await startTeam({ LEAD_STORE });
	const { id } = await team.judged({ email: 'jo@one.example', message: offer });
	await team.leads('spam', id);
	expect(await team.judged({ email: 'al@two.example', message: offer })).toMatchObject({ state: 'quarantined' });
	await using database = await connectedTo(LEAD_STORE);
	await database.query('ANALYZE');
	const counted = `SELECT attname FROM pg_stats WHERE attname IN ('fingerprint', 'trait')`;
	expect((await database.query(counted)).rows).toEqual([]);
	for (const email of ['jo@one.example', 'al@two.example']) await team.leads('erase', email, '--yes');
	expect((await database.query('SELECT * FROM lead_traits')).rows).toEqual([]);
	expect(await team.judged({ email: 'ed@six.example', message: offer })).toMatchObject({ spam: { verdict: 'clear' } });
});
