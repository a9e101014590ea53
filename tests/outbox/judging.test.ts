import type { Email } from 'postal-mime';
import { expect, test } from 'vitest';
import { wordsIn } from '../../src/facts/load.ts';
import { startLanguageModel } from '../support/language-model.ts';
import { startMailing } from '../support/lead-places.ts';
import { spam } from '../support/post-lead.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** One strong signal: a link for a name. */
const suspicious = { name: 'Ana, see https://win.example/now', clinic: 'Sol' };
/** Long enough to be known again. */
const offer =
	'Our calendars are made for firms of your size and trade, and forty firms in your town already have one of them. ' +
	'Every one comes with a stand, and with the feasts of the saints. Look at https://calendars.example/buy';

test('a lead with two strong signals is held, told of with its reasons, and delivered as any when it is released', async () => {
	await using team = await startMailing();
	const held = await team.judged(spam);
	expect(held).toMatchObject({ state: 'quarantined', spam: { verdict: 'held' } });
	expect(team.smtp.mails.map(({ parsed }) => parsed.subject)).toEqual([expect.stringContaining('held back as spam')]);
	const reasons = held.spam!.signals.map((name) => wordsIn('en').spamReasons[name as 'links']);
	expect(team.smtp.mails[0]!.parsed.text).toContain(reasons.join(' '));
	expect((await team.leads('list', '--state', 'quarantined')).stdout).toContain(reasons.at(-1));
	using database = team.database();
	// Only what the sales team was told of may be deleted.
	expect(database.prepare('SELECT told_at FROM lead_entries WHERE id = ?').get(held.id)).not.toEqual({ told_at: null });
	expect((await team.leads('release', held.id)).code).toBe(0);
	await team.tryDue();
	expect(team.smtp.mails[1]!.parsed.messageId).toContain(held.id);
	expect(team.smtp.mails[1]!.parsed.subject).not.toContain('[spam?]');
});

test('a lead with one strong signal is delivered with its reason: in subject, header, text, chat, webhook, list and show; an ordinary one without', async () => {
	await using chat = await startWebhookReceiver();
	await using webhook = await startWebhookReceiver();
	const channels = { LEAD_WEBHOOK_URL: `${webhook.url} ${chat.url}`, LEAD_WEBHOOK_FORMAT: 'json mattermost' };
	await using team = await startMailing({ ...channels, LEAD_LANGUAGE: 'de' });
	await team.take();
	const entry = await team.judged(suspicious);
	const [ordinary, mail] = team.smtp.mails.map(({ parsed }) => parsed) as [Email, Email];
	expect(ordinary.subject).not.toContain('spam');
	expect(ordinary.headers.some(({ key }) => key === 'x-lead-spam')).toBe(false);
	expect(mail.subject).toMatch(/^\[spam\?\] /);
	expect(mail.headers.find(({ key }) => key === 'x-lead-spam')?.value).toBe('marked; signals=name-address');
	const reason = 'Name oder Praxis enthält eine Webadresse';
	expect(mail.text).toContain(reason);
	expect(chat.requests[1]!.body).toContain(reason);
	const judgement = { verdict: 'marked', signals: ['name-address'] };
	const told = webhook.requests.map(({ body }) => JSON.parse(body) as object);
	expect(told).toMatchObject([{ data: { spam: { verdict: 'clear', signals: [] } } }, { data: { spam: judgement } }]);
	expect(entry).toMatchObject({ state: 'delivered', spam: judgement });
	expect(JSON.parse((await team.leads('show', entry.id, '--json')).stdout)).toMatchObject({ spam: judgement });
	expect((await team.leads('show', entry.id)).stdout).toContain(reason);
});

test.each([
	['with LEAD_SPAM=mark', { LEAD_SPAM: 'mark' }, {}, { verdict: 'marked' }],
	['with LEAD_SPAM=off', { LEAD_SPAM: 'off' }, {}, undefined],
	['of leads with an API key', {}, { apiKey: { id: 'a key' } }, { verdict: 'marked' }],
])('%s nothing is held but hits of the honeypot', async (_, settings, sending, judgement) => {
	await using team = await startMailing(settings);
	const delivered = await team.judged(spam, sending);
	expect(delivered.state).toBe('delivered');
	expect(team.smtp.mails[0]!.parsed.subject!.startsWith('[spam?]')).toBe(judgement !== undefined);
	if (judgement) expect(delivered).toMatchObject({ spam: judgement });
	else expect(delivered).not.toHaveProperty('spam');
	await team.quarantine({ website: 'x' });
	expect(await team.list('--state', 'quarantined')).toMatchObject([{ spam: { signals: ['honeypot'] } }]);
});

test.each([
	[2.99, { verdict: 'marked', signals: ['repeated'] }],
	[3.01, { verdict: 'clear', signals: [] }],
])('the same offer from two firms, %f days apart, is judged as %j', async (days, spam) => {
	await using team = await startMailing();
	await team.take({ email: 'jo@one.example', clinic: 'Quick Funds', message: offer });
	using database = team.database();
	database.exec(`UPDATE lead_entries SET received_at = received_at - ${days * 86_400_000}`);
	const second = await team.judged({ email: 'jo@two.example', clinic: 'Growth Desk', message: offer });
	expect(second).toMatchObject({ spam });
});

test('what has message, link or sender of a lead that was marked as spam is held, until that is erased; what was released is not', async () => {
	await using team = await startMailing();
	const first = await team.judged({ email: 'jo@one.example', message: offer });
	const { code, stdout } = await team.leads('spam', first.id);
	expect([code, stdout]).toEqual([0, expect.stringContaining('from now on')]);
	expect((await team.leads('spam', '--list')).stdout).toContain('one.example calendars.example');

	const sameLink = { email: 'al@two.example', message: 'New prices: https://calendars.example/prices' };
	const likes = [
		await team.judged(sameLink),
		await team.judged({ email: 'bo@one.example', message: 'Hello' }),
		await team.judged({ email: 'cy@four.example', message: `Dear all,\n${offer.replace('calendars', 'agendas').toUpperCase()}` }),
	];
	const held = { state: 'quarantined', spam: { verdict: 'held', signals: ['trained'] } };
	expect(likes).toMatchObject([held, held, { state: 'quarantined' }]);

	expect((await team.leads('release', ...likes.map(({ id }) => id))).code).toBe(0);
	expect(await team.judged({ ...sameLink, email: 'di@five.example' })).toMatchObject({ spam: { verdict: 'clear' } });

	// Says it again, and takes everything back.
	await team.leads('spam', first.id);
	for (const email of ['al@two.example', 'bo@one.example', 'cy@four.example', 'jo@one.example'])
		await team.leads('erase', email, '--yes');
	expect(JSON.parse((await team.leads('spam', '--list', '--json')).stdout)).toMatchObject({ entries: [] });
	expect(await team.judged({ ...sameLink, email: 'ed@six.example' })).toMatchObject({ spam: { verdict: 'clear' } });
});

test('the command says which of several leads it could not mark or release, and why', async () => {
	await using team = await startMailing();
	const { id } = await team.judged({ message: offer });
	const { code, stdout } = await team.leads('spam', id, 'ffffffff', '--json');
	expect([code, JSON.parse(stdout)]).toEqual([1, { spam: [id], failed: [{ id: 'ffffffff', reason: expect.any(String) }] }]);
	const cleared = await team.leads('release', id);
	expect([cleared.code, cleared.stdout]).toEqual([0, expect.stringContaining('not spam')]);
	expect((await team.leads('release', id)).code).toBe(1);
	expect((await team.leads('spam')).code).toBe(2);
});

test.each(['pitch', 'spam'])('a model that says %s marks a lead, and holds none with whatever else marks it', async (word) => {
	await using model = await startLanguageModel(() => word);
	await using rspamd = await startWebhookReceiver({ body: '{"action":"add header"}' });
	await using team = await startMailing({ LEAD_SPAM_URL: `${new URL(rspamd.url).origin} ${model.setting}` });
	const lead = await team.judged({ ...suspicious, message: 'Buy!' });
	const judgement = { verdict: 'marked', signals: ['engine', `model-${word}`, 'name-address'] };
	expect(lead).toMatchObject({ state: 'delivered', spam: judgement });
	expect(team.smtp.mails[0]!.parsed.text).toContain('A language model');
	expect([model.requests.length, rspamd.requests.length]).toEqual([1, 1]);
});

test('without an answer of the model a lead is delivered all the same, and the log has no key and no address of the model', async () => {
	await using model = await startLanguageModel(() => ({ status: 500 }));
	await using team = await startMailing({ LEAD_SPAM_URL: model.setting });
	const judged = (name: string) => team.judged({ email: `${name}@a.example`, message: 'Do you speak Spanish?' });
	const leads = await Array.fromAsync(['a', 'b', 'c', 'd'], judged);
	expect(leads).toMatchObject(leads.map(() => ({ state: 'delivered', spam: { verdict: 'clear' } })));
	expect(model.requests).toHaveLength(3);
	expect(team.log.filter(({ level }) => level === 'warn')).toMatchObject(leads.map(({ id }) => ({ lead: id })));
	expect(JSON.stringify(team.log)).not.toMatch(/ecret|KEY|some.model/);
});

test('without a store a lead is marked within the request, and a model that hangs keeps it not for long', async () => {
	await using model = await startLanguageModel(() => ({ until: new Promise(() => {}) }));
	await using direct = await startMailing({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: '', LEAD_SPAM_URL: model.setting });
	await direct.take({ ...spam, message: 'Do you speak Spanish?' });
	expect(direct.smtp.mails[0]!.parsed.subject).toMatch(/^\[spam\?\] /);
});

test('a model is not asked about a canary', async () => {
	await using model = await startLanguageModel(() => 'spam');
	await using place = await startWebhookReceiver();
	const canary = { CANARY_SECRET: 'a'.repeat(32), CANARY_WEBHOOK: new URL(place.url).host };
	await using team = await startMailing({ ...canary, LEAD_SPAM_URL: model.setting });
	await team.take({ message: 'The operator’s canary.' }, { canary: 'One' });
	expect([model.requests.length, place.requests.length]).toEqual([0, 1]);
});
