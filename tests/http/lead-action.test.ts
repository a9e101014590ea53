import { createSecretKey, randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { actionLinkIn, actionPath, type ActionLink } from '../../src/lead/action.ts';
import { referenceOf } from '../../src/channels/message.ts';
import { fillWords } from '../../src/facts/language.ts';
import { copyIn, origin, wordsIn } from '../../src/facts/load.ts';
import { openStore } from '../../src/store/store.ts';
import { startMailing, startStoring } from '../support/lead-places.ts';
import { readMaildir } from '../support/maildir.ts';
import { form, leadOf, newLead, postBody, spam } from '../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { expectProblem } from '../support/problem.ts';
import { startFunction, startServer } from '../support/server.ts';
import { type SmtpServerOptions, startSmtpServer } from '../support/smtp-server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';

const post = (url: string, values: Record<string, string> = {}, headers = {}) =>
	fetch(url, { ...form({ change: '', ...values }, headers), redirect: 'manual' });

/** Starts a server whose leads go to a mail server, and the functions that read and press the links of its mails. */
async function startTeam(settings = {}, start?: Parameters<typeof startStoring>[2], mail: SmtpServerOptions = {}) {
	const smtp = await startSmtpServer(mail);
	const all = { LEAD_WEBHOOK_URL: '', LEAD_RATE_LIMIT: 'off', ...smtp.settings, ...settings };
	const storing = await startStoring(all, undefined, start);
	const { server } = storing;
	/** Returns the links in a mail, by action, at this server. */
	const linksIn = (text: string): Record<string, string> => {
		const links = [...text.matchAll(/https?:\/\/[^/\s]+(\/lead\/([\w-]+)\?\S+)/g)];
		return Object.fromEntries(links.map(([, path, action]) => [action!, server.url + path!]));
	};
	return {
		...storing,
		...server,
		smtp,
		linksIn,
		leads: async (...args: string[]) => (await storing.leads(...args)).stdout,
		/** Waits for so many mails, and returns the links in the last. */
		async links(mails: number) {
			await expect.poll(() => smtp.mails.length).toBe(mails);
			return linksIn(smtp.mails.at(-1)!.parsed.text ?? '');
		},
		/** Posts a lead, the first, and returns the links in its mail. */
		async linksOf(lead: object) {
			await postBody(server.url, lead);
			return this.links(1);
		},
		...disposing(storing, smtp),
	};
}

const textOf = async (url: string, headers = {}) => (await fetch(url, { headers })).text();

test('reading a link changes nothing, pressing its button does, and the others then read who answers', async () => {
	await using team = await startTeam();
	const { taken, spam } = await team.linksOf(newLead());
	await expect.poll(() => team.leads('list', '--json')).toMatch(/"state": ?"delivered"/);
	const before = await team.leads('list', '--json');
	for (const url of [taken!, spam!]) for (const method of ['GET', 'HEAD', 'POST']) await fetch(url, { method });
	expect(JSON.parse(await team.leads('list', '--json'))).toEqual(JSON.parse(before));

	expect(await textOf(spam!)).toContain(referenceOf(new URL(spam!).searchParams.get('id')!));
	const asked = await fetch(taken!);
	expect(asked.status).toBe(200);
	const headers = { 'cache-control': 'no-store', 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex' };
	expect(Object.fromEntries(asked.headers)).toMatchObject(headers);
	expect(await asked.text()).toMatch(/<form method="post" novalidate>[^]*<button class="action" name="change">/);

	const pressed = await post(taken!, { name: ' Berta\u0000 <b> ' });
	expect(pressed.status).toBe(303);
	const cookie = /^who=Berta%20%3Cb%3E; Path=\/lead\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/;
	expect(pressed.headers.get('set-cookie')).toMatch(cookie);
	await post(taken!, { name: 'Carla' });
	const page = await textOf(taken!, { cookie: 'who=Carla' });
	expect(page).toContain('<h1>Assigned to Berta &lt;b&gt; since ');
	expect(page).not.toContain('Carla');
	expect(await textOf(spam!)).toContain('Assigned to Berta &lt;b&gt; since ');
	const { spam: marked } = wordsIn('en').actions.done;
	expect(await textOf(taken!)).not.toContain(marked);
	expect(JSON.parse(await team.leads('stats', '--json'))).toMatchObject({ assigned: { leads: 1 } });
	await post(spam!);
	expect(await textOf(taken!)).toContain(marked);
	expect(await team.leads('list')).toContain('assigned to Berta <b>');
});

test('on the next working day a mail reminds the team of the lead that nobody took, by its own link', async () => {
	vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-04T09:00:00Z') });
	onTestFinished(() => void vi.useRealTimers());
	await using team = await startMailing({ LEAD_WEBHOOK_URL: '' });
	for (const fields of [newLead(), newLead()]) await team.take(fields);
	const [other, taken] = await team.list();
	await using store = await openStore({ kind: 'sqlite', path: team.path });
	await store.assign(taken!.id, 'Berta');
	vi.setSystemTime(Date.parse('2026-06-05T09:00:01Z'));
	await team.restart({});
	await expect.poll(() => team.smtp.mails.length).toBe(3);
	const links = team.smtp.mails[2]!.parsed.text!.match(/https?:\S+\/lead\/\S+/g)!;
	expect(links.map((link) => actionLinkIn(link, store.secret))).toMatchObject([{ action: 'taken', id: other!.id }]);
});

/** Returns what the page of a lead that is taken sends with its buttons. */
const sinceOn = async (url: string) => ({ since: /name="since" value="(\d+)"/.exec(await textOf(url))![1]! });

test('whoever answers a lead is named in chat alone, and can give it back or hand it over, and no old page changes that', async () => {
	await using chat = await startWebhookReceiver({ body: 'ok' });
	await using team = await startTeam({ LEAD_WEBHOOK_URL: chat.url, LEAD_WEBHOOK_FORMAT: 'mattermost' });
	const { taken } = await team.linksOf(leadOf({ clinic: 'Sun' }));
	const reference = referenceOf(new URL(taken!).searchParams.get('id')!).replace('-', '\\-');
	const { answers } = wordsIn('en').actions;
	const said = () => chat.requests.slice(1).map(({ body }) => (JSON.parse(body) as { text: string }).text.trim());
	await expect.poll(() => chat.requests.length).toBe(1);
	await post(taken!, { name: 'Berta' });
	await post(taken!, { name: 'Carla' });
	await expect.poll(said).toEqual([fillWords(answers, { name: 'Berta', lead: `${reference} \\(Sun\\)` })]);

	const shown = await sinceOn(taken!);
	// From a page that still asked who takes it.
	const late = await post(taken!, { name: '' });
	expect([late.status, await late.text()]).toEqual([200, expect.not.stringContaining('aria-invalid')]);
	const nameless = await post(taken!, { ...shown, change: 'over' });
	expect([nameless.status, await nameless.text()]).toEqual([422, expect.stringContaining('aria-invalid="true"')]);
	const over = await post(taken!, { ...shown, change: 'over', name: 'Carla' });
	expect([over.status, over.headers.has('set-cookie')]).toEqual([303, false]);
	expect(await textOf(taken!)).toContain('<h1>Assigned to Carla since ');
	await post(taken!, { ...shown, change: 'back' });
	await post(taken!, { ...shown, change: 'over', name: 'Eve' });
	expect(await team.leads('list')).toContain('assigned to Carla');

	await post(taken!, { ...(await sinceOn(taken!)), change: 'back' });
	expect(await textOf(taken!)).not.toContain('Assigned to');
	expect(await team.leads('list')).not.toContain('assigned');
	const names = () => said().map((line) => line.split(' ')[0]);
	await expect.poll(() => names().toSorted()).toEqual(['Berta', 'Carla', 'Nobody']);
	// Only what says that nobody answers it has a link, which takes it.
	const taking = said().filter((line) => line.includes(new URL(taken!).searchParams.get('id')!));
	expect(taking).toEqual([expect.stringMatching(/^Nobody [^]*\/lead\/taken\?/)]);
	expect(team.smtp.mails).toHaveLength(1);
});

test('the page has our name alone above it, the times and words of the team’s language, and asks for a name once', async () => {
	await using team = await startTeam({ LEAD_LANGUAGE: 'de', LEAD_TIME_ZONE: 'Europe/Berlin' });
	const { taken } = await team.linksOf(newLead());
	const page = await textOf(taken!);
	const [header] = /<header[^]*?<\/header>/.exec(page)!;
	expect(header.match(/<(a|nav|button)\b/g)).toEqual(['<a']);
	expect(page).toMatch(/ \d{1,2}\. \p{L}+ \d{4} um \d\d:\d\d (MEZ|MESZ), /u);
	expect(page).not.toContain('aria-invalid');
	const nameless = await post(taken!, { name: ' ' });
	expect([nameless.status, nameless.headers.has('set-cookie')]).toEqual([422, false]);
	const asked = await nameless.text();
	for (const part of ['aria-invalid="true"', copyIn('de').errors['name_required']]) expect(asked).toContain(part);
	for (const comma of [';', ','])
		expect(await textOf(taken!, { cookie: `a=b${comma} who=J%C3%BCrgen%2BB${comma} c=d` })).toContain('value="Jürgen+B"');
	const long = encodeURIComponent(`${'x'.repeat(58)}👩\u200D⚕️`);
	expect(await textOf(taken!, { cookie: `who=${long}` })).toMatch(/value="x{58}👩"/u);
	expect(await textOf(taken!, { cookie: 'who=%FF' })).toContain('value="\uFFFD"');
});

test('another site cannot press the button; our own page can, and can take it back', async () => {
	await using team = await startTeam();
	const { spam } = await team.linksOf(newLead());
	const from = (origin: string) => ({ origin });
	const judged = async () => (JSON.parse(await team.leads('spam', '--list', '--json')) as { entries: object[] }).entries;
	const fromOtherPart = { 'sec-fetch-site': 'same-site', ...from(team.url) };
	for (const headers of [{ 'sec-fetch-site': 'cross-site' }, fromOtherPart, from('https://other.example'), from('null')])
		await expectProblem(await post(spam!, {}, headers), 403, 'foreign-form');
	expect(await judged()).toEqual([]);
	for (const headers of [{ 'sec-fetch-site': 'same-origin' }, from(team.url), from(origin)])
		expect((await post(spam!, {}, headers)).status, JSON.stringify(headers)).toBe(303);
	expect(await judged()).toMatchObject([{ spam: { verdict: 'spam' } }]);
	const [, undo] = /action="(.*?)"/.exec(await textOf(spam!)) ?? [];
	expect((await post(team.url + undo!.replaceAll('&amp;', '&'))).status).toBe(303);
	expect(await judged()).toMatchObject([{ spam: { verdict: 'clear' } }]);
});

const long = { message: `${'A word of many. '.repeat(9)}https://pitch.example/now` };
const sites = /link to \u2068clinicasol\.example\u2069 or \u2068pitch\.example\u2069/;
const short = { message: 'Short.' };
test.each<[string, Record<string, string>, RegExp[]]>([
	['message, sender and link', long, [/this message/, /from \u2068clinicasol\.example\u2069/, sites]],
	['a mailbox', { ...short, email: 'jo.doe@mailinator.com' }, [/Leads from \u2068jodoe@mailinator\.com\u2069 are/]],
	['nothing', { ...short, email: `jo@${new URL(origin).hostname}` }, []],
])('the page of the link for spam says what is held from then on: %s', async (_, fields, told) => {
	await using team = await startTeam();
	const { spam } = await team.linksOf(leadOf(fields));
	const page = await textOf(spam!);
	for (const pattern of told) expect(page).toMatch(pattern);
	expect(page.match(/\u2068.*?\u2069/g)?.length ?? 0).toBe(told.length);
	expect(page.includes('this message')).toBe(told.length > 1);
	for (const word of [fields['message']!.slice(0, 6), leadOf()['name']!]) expect(page).not.toContain(word);
});

test('a held lead is delivered by a link of the notice, with the links of its own, but not while there is no channel', async () => {
	await using team = await startTeam();
	const { 'not-spam': real } = await team.linksOf(leadOf(spam));
	await using mute = await startServer({ LEAD_STORE: team.env.LEAD_STORE });
	expect((await post(real!.replace(team.url, mute.url))).status).toBe(503);
	await post(real!);
	const own = await team.links(2);
	expect(Object.keys(own)).toEqual(['taken', 'spam']);
	expect(await textOf(real!)).not.toContain('>Not spam</button>');
});

test('what was parked is sent again by the link of the notice, which another channel gets', async () => {
	await using folder = await temporaryFolder();
	await using team = await startTeam({ LEAD_MAILBOX: folder.path }, undefined, { refuse: { 'sales@website.test': [550] } });
	await postBody(team.url, newLead());
	const notice = async () => (await readMaildir(folder.path)).find(({ raw }) => raw.includes('/lead/send-again?'));
	await expect.poll(notice).toBeDefined();
	const again = team.linksIn((await notice())!.parsed.text!)['send-again']!;
	expect(team.smtp.mails).toEqual([]);
	await post(again);
	await team.links(1);
	expect(await textOf(again)).not.toContain('<form');
});

test('a link that was changed, made up or has ended does nothing, and says so', async () => {
	await using team = await startTeam();
	for (const fields of [newLead(), newLead()]) await postBody(team.url, fields);
	const { taken } = await team.links(2);
	const url = new URL(taken!);
	await using store = await openStore({ kind: 'sqlite', path: team.path });
	const { id = '', end = '', sign = '' } = Object.fromEntries(url.searchParams);
	const link: ActionLink = { action: 'taken', id, end: Number(end) };
	expect((link.end - Date.now() / 1000) / 86_400).toBeCloseTo(30, 2);
	const otherId = (await store.list({ limit: 2 })).find((entry) => entry.id !== id)!.id;
	const linkWith = (values: object) => `${url.origin}${url.pathname}?${new URLSearchParams({ id, end, sign, ...values })}`;
	const foreign = [
		...[{ id: otherId }, { end: String(link.end + 1) }].map(linkWith),
		taken!.replace('/taken', '/spam'),
		team.url + actionPath(link, createSecretKey(Buffer.alloc(32))),
	];
	const cut = sign.slice(0, -1);
	const wrong = [
		...[{ id: otherId.slice(0, -1) }, { end: '' }, { sign: '' }, { sign: cut }, { sign: `${cut}~` }].map(linkWith),
		taken!.replace('/taken', '/nothing'),
	];
	const { wrong: incomplete, foreign: ofAnother } = wordsIn('en').actions;
	for (const address of foreign) expect(await textOf(address), address).toContain(ofAnother);
	for (const address of wrong) expect(await textOf(address), address).toContain(incomplete);
	const past = team.url + actionPath({ ...link, end: Math.floor(Date.now() / 1000) - 1 }, store.secret);
	const unknown = team.url + actionPath({ ...link, id: randomUUID() }, store.secret);
	for (const address of [...foreign, ...wrong, `${team.url}/lead/`, past, unknown]) {
		const status = [past, unknown].includes(address) ? 410 : 403;
		expect([(await fetch(address)).status, (await post(address, { name: 'Eve' })).status], address).toEqual([status, status]);
	}
	expect((await store.list({ limit: 2 })).map((entry) => entry.assigned)).toEqual([undefined, undefined]);
	expect((await fetch(taken!, { method: 'PUT' })).status).toBe(405);
	expect((await post(taken!, { name: 'x'.repeat(5000) })).status).toBe(403);
});

test('while the store does not work a link does nothing, and the log says why', async () => {
	await using team = await startTeam();
	const { taken } = await team.linksOf(newLead());
	using database = team.database();
	database.exec('ALTER TABLE lead_entries RENAME TO away');
	expect((await post(taken!, { name: 'Ana' })).status).toBe(503);
	const id = new URL(taken!).searchParams.get('id');
	const errors = () => team.process.log.filter((line) => line['id'] === id && line['err']);
	await expect.poll(errors).toMatchObject([{ err: { message: expect.stringContaining('lead_entries') } }]);
});

test.each(['LEAD_ACTIONS=off', 'LEAD_STORE=none'])('with %s there are no links', async (setting) => {
	await using team = await startTeam(Object.fromEntries([setting.split('=')]));
	expect(await team.linksOf(newLead())).toEqual({});
	expect((await fetch(`${team.url}/lead/taken?id=x`)).status).toBe(404);
});

test.skipIf(postgresMissing)('a function with PostgreSQL has the same links', async () => {
	await using postgres = await startPostgres();
	await using team = await startTeam({ LEAD_STORE: await postgres.createDatabase() }, startFunction);
	const { taken } = await team.linksOf(newLead());
	expect((await post(taken!, { name: 'Berta' })).status).toBe(303);
	expect(await textOf(taken!)).toContain('Assigned to Berta since ');
});
