import { describe, expect, test } from 'vitest';
import { type FormatName, formatFor, webhook } from '../../src/channels/webhook.ts';
import { requestOf, type WebhookTarget } from '../../src/channels/webhook-format.ts';
import { entryMessage } from '../../src/channels/entry.ts';
import { noticeMessage } from '../../src/channels/notice.ts';
import { type Message, messageOf } from '../../src/channels/message.ts';
import { fillWords } from '../../src/facts/language.ts';
import { wordsIn } from '../../src/facts/load.ts';
import type { LeadStore } from '../../src/store/store.ts';
import { readSettings, targetsOf } from '../../src/server/settings/settings.ts';
import fc from '../support/fast-check.ts';
import { hostileMessage } from '../support/hostile-lead.ts';
import { leadWith, linkSecret, messageWith, receivedLead, targetAt, team } from '../support/lead.ts';
import { startWebhookReceiver, type WebhookReply } from '../support/webhook-receiver.ts';
import { type ChatName, type ChatService, services, type SlackBody, type TelegramBody } from './chat-services.ts';

type Fields = Parameters<typeof leadWith>[0];

const { actions, team: words } = wordsIn(team.language);
/** What ends a text that was too long. */
const shortened = `… (${words.shortened}; ${words.inMail})`;

function requestFor(name: ChatName, message: Message, options?: Partial<WebhookTarget>) {
	const target = targetAt(services[name].url, options);
	return requestOf(formatFor(target.url, name), message, target);
}

const sent = <Body>(name: ChatName, fields: Fields = {}) => JSON.parse(requestFor(name, messageWith(fields)).body) as Body;

const tooMuch = ([, actual, limit]: [string, number, number]) => actual > limit;

const rows = Object.entries(services) as [ChatName, ChatService][];

describe.each(rows)('%s', (name, service) => {
	const bodyFor = (message: Message) => requestFor(name, message).body;

	async function deliver(reply: WebhookReply) {
		await using receiver = await startWebhookReceiver(reply);
		const { pathname, search } = new URL(service.url);
		const target = targetAt(new URL(pathname + search, receiver.url).href);
		const chat = webhook('chat', formatFor(target.url, name), target);
		const delivery = await chat.send(messageWith(), new AbortController().signal);
		return { delivery, request: receiver.requests[0]! };
	}

	test('is known by its name, and by its URL where that is enough', () => {
		const [target] = targetsOf(readSettings({ LEAD_WEBHOOK_URL: service.url, LEAD_WEBHOOK_FORMAT: name }));
		const { url, format } = target!;
		expect(format.name).toBe(name);
		expect(formatFor(url, 'auto').name).toBe<FormatName>(format.recognises ? name : 'json');
	});

	test('has taken a message when it says so, however the answer comes', async () => {
		const [status, body] = service.success;
		const { delivery, request } = await deliver({ status, body: [...`${body}\n`] });
		expect(delivery).toEqual({ ok: true });
		expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
	});

	test.each(service.refusals)('refuses with %i %s: %s, which is %s', async (status, body, reason, until) => {
		const { delivery } = await deliver({ status, body });
		const retryAfter = typeof until === 'number' ? until : undefined;
		expect(delivery).toEqual({ ok: false, outlook: typeof until === 'number' ? 'passing' : until, reason, retryAfter });
	});

	test.each(['message', 'later'])('says where the rest is when a lead is too long for it in %s', (field) => {
		const message = messageOf({ ...receivedLead(), lead: { ...leadWith(), [field]: '界&<'.repeat(10_000) } }, team);
		const body = bodyFor(message);
		expect(service.sizes(body).filter(tooMuch)).toEqual([]);
		expect(service.visible(body)).toContain(shortened);
		for (const { value } of message.rows.filter(({ freeText, inChat = true }) => !freeText && inChat))
			expect(service.visible(body)).toContain(value);
	});

	test('shows what the sales team can do, by links that are whole', () => {
		const message = messageOf(receivedLead(), { ...team, linkSecret }, { spam: { verdict: 'marked', signals: ['links'] } });
		const shown = bodyFor(message);
		expect(message.actions!.map(({ label }) => label)).toEqual(['I’ll answer this one', 'Not spam', 'Mark as spam']);
		for (const { label, url } of message.actions!) {
			expect(shown).toContain(label);
			expect(shown.replaceAll('&amp;', '&')).toContain(url);
		}
		expect(bodyFor({ ...message, actions: [{ label: 'Spam', url: 'http://localhost:4321/' }] })).not.toContain('localhost');
	});

	test('shows what a held lead says behind who it is, unless chat must not show any message', () => {
		const held = receivedLead({ message: 'measles' });
		const notice = { id: held.id, receivedAt: held.receivedAt, number: 1 };
		const message = noticeMessage(notice, { ...team, linkSecret }, [{ id: held.id, payload: JSON.stringify(held) }]);
		expect(service.visible(bodyFor(message))).toMatch(/Clínica Sol[^]*measles/);
		expect(requestFor(name, message, { freeText: false }).body).not.toContain('measles');
	});

	test('names all leads of a reminder, and how to reach each, within its limits', () => {
		const { id, receivedAt, ...lead } = receivedLead({ message: 'measles'.repeat(40) });
		const leads = Array.from({ length: 20 }, () => ({ id, payload: JSON.stringify({ ...lead, id, receivedAt }) }));
		const body = bodyFor(noticeMessage({ id, receivedAt, unanswered: [], more: 9 }, { ...team, linkSecret }, leads));
		expect(service.sizes(body).filter(tooMuch)).toEqual([]);
		expect(service.visible(body)).toContain('20. 7HX1-PB1X');
		expect(service.visible(body).split(lead.lead.phone!)).toHaveLength(21);
	});

	test('gets the same structure whatever a visitor writes, nothing but text in it, all of it, within its limits', () => {
		const harmless = messageWith({ phone: 'x', email: 'ana@clinica.example', message: 'x\ny' });
		const shape = shapeOf(JSON.parse(bodyFor(harmless)));
		fc.assert(
			fc.property(hostileMessage, (message) => {
				const body = bodyFor(message);
				expect(shapeOf(JSON.parse(body))).toEqual(shape);
				expect(service.active(body)).toEqual([]);
				expectAllOf(message, service.visible(body));
				expect(service.sizes(body).filter(tooMuch)).toEqual([]);
				expect(body.isWellFormed()).toBe(true);
			}),
			{ numRuns: 150 },
		);
	});
});

/** Returns keys and types. Equal shapes in a row count as one: long text takes more sections, and values take more marks. */
function shapeOf(value: unknown): unknown {
	if (Array.isArray(value)) {
		const shapes = value.map(shapeOf);
		return shapes.filter((shape, index) => JSON.stringify(shape) !== JSON.stringify(shapes[index - 1]));
	}
	if (typeof value !== 'object' || value === null) return typeof value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
}

/** Expects all text to be visible, except for white space and word joiners. The longest values may be cut. */
function expectAllOf({ rows, subject }: Message, seen: string): void {
	const visible = compact(seen);
	const cut = seen.split(shortened).slice(0, -1);
	const endings = cut.map((before) => compact(before.split('\n').at(-1)!).slice(-20).replace(/^.*:/s, ''));
	const shown = rows.filter(({ inChat }) => inChat !== false);
	for (const value of [subject, ...shown.map((row) => row.value)].map(compact))
		if (!visible.includes(value)) expect(endings.filter((ending) => value.includes(ending))).not.toEqual([]);
}

const compact = (text: string) => text.replace(/[\s\u2060]/g, '');

const asks = { name: 'Ana <b> & Co', phone: '', country: '', lang: '', source: '' };
const { subject, text, id, receivedAt } = messageWith(asks);

/** Returns the text of a lead without what mail alone has. */
const inChat = (text: string) => text.replace(/^Consent: .*\n/m, '');

const embed = {
	title: expect.stringContaining(' lead\\: Ana \\<b\\> & Co, Clínica Sol'),
	description: 'a-b 1.5 \\*c\\*',
	fields: ['Name', 'Clinic', 'Email', 'Reference', 'Received'].map((name) => ({ name, inline: true })),
	timestamp: receivedAt,
};
const withoutMessage = expect.not.objectContaining({ description: '' }) as unknown;
const widgets = expect.arrayContaining([
	{ textParagraph: { text: expect.stringMatching(/^<b>.* lead: Ana &lt;b&gt; &amp; Co, Clínica Sol<\/b>$/) } },
	{ decoratedText: { topLabel: 'Name', text: 'Ana &lt;b&gt; &amp; Co', wrapText: true } },
]);
const cardsV2 = [{ cardId: id, card: { sections: [{ widgets }] } }];
const quoted = /^#### .* lead: Ana .*\n\*\*Message:\*\*\n> one\n> \n> \u00A0{4}two\n\n\*\*Name:\*\* Ana &lt;b\\> &amp; Co\n/;
const signs = '**Clinic:** \\~\u2060town #\u2060tag :\u2060smile: at 09:30\n';
const plainText = (shown: string) => ({ type: 'plain_text', text: shown, emoji: false });
const answer = expect.stringMatching(/^<mailto:ana@clinicasol\.example\?subject=[^&|]+7HX1-PB1X\)\|Write an answer>$/) as string;
const slackMessage = {
	text: expect.stringContaining(' lead: Ana &lt;b&gt; &amp; Co, Clínica Sol'),
	mrkdwn: false,
	blocks: [
		{ type: 'header', text: plainText(subject) },
		{ type: 'section', text: plainText(inChat(text)) },
		{ type: 'section', text: { type: 'mrkdwn', text: answer } },
	],
	unfurl_links: false,
	unfurl_media: false,
};
const run = (shown: string, style = {}) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: shown, ...style }] });
const column = (width: number, item: object) => ({ type: 'Column', width, items: [item] });
const card = expect.arrayContaining([
	run(subject, { size: 'Large', weight: 'Bolder' }),
	{ type: 'ColumnSet', spacing: 'Small', columns: [column(1, run('Name', { weight: 'Bolder' })), column(3, run(asks.name))] },
]);
const content = { type: 'AdaptiveCard', version: '1.4', body: card };
const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };

test.each<[ChatName, form: string, Fields, body: object]>([
	['discord', 'the message below the title, other values beside their labels', { message: 'a-b 1.5 *c*' }, { embeds: [embed] }],
	['discord', 'no empty description', { message: '' }, { embeds: [withoutMessage] }],
	['google-chat', 'a card with a title and a row for each value', {}, { cardsV2 }],
	['mattermost', 'a row a line, several lines quoted', { message: 'one\n\n    two' }, { text: expect.stringMatching(quoted) }],
	['mattermost', 'no channel, tag or emoji', { clinic: '~town #tag :smile: at 09:30' }, { text: expect.stringContaining(signs) }],
	['slack', 'every row as plain text, and a link to answer', {}, slackMessage],
	['teams', 'an Adaptive Card in a message, as Workflows wants it', {}, { type: 'message', attachments: [attachment] }],
])('%s gets %s', (name, _, fields, body) => {
	expect(sent(name, { ...asks, ...fields })).toMatchObject(body);
});

test('Discord shows who a lead of a notice is from on lines of its own, and its message below', () => {
	const { id, receivedAt } = receivedLead();
	const leads = [{ id, payload: JSON.stringify(receivedLead()) }];
	const message = noticeMessage({ id, receivedAt, unanswered: [id], more: 0 }, team, leads);
	const { embeds } = JSON.parse(requestFor('discord', message).body) as { embeds: [{ fields: object[] }] };
	expect(embeds[0].fields.slice(0, 2)).toMatchObject([{ inline: false }, { name: 'Message', inline: true }]);
});

test('Discord is asked to say whether it took the message, and to show buttons', () => {
	const url = new URL('https://discord.com/api/webhooks/1/secret?thread_id=7');
	expect(requestFor('discord', messageWith(), { url }).url.href).toBe(`${url.href}&wait=true&with_components=true`);
});

const slackTexts = (message: string) => sent<SlackBody>('slack', { message }).blocks.map(({ text }) => text.text);

test('Slack gets no section that begins with a visitor’s words as with a label', () => {
	for (let start = 1; start <= 'Email: '.length; start += 1) {
		expect(slackTexts('x'.repeat(start) + 'Email: '.repeat(600)).filter((text) => text.startsWith('Email'))).toEqual([]);
	}
});

test('Slack gets no empty section, which it refuses, and all lines', () => {
	for (const message of [`a${'\n'.repeat(4990)}b`, `${'🦷'.repeat(2998)}\nx`]) {
		const sections = slackTexts(message).slice(1, -1);
		expect(sections.filter((section) => section.trim() === '')).toEqual([]);
		expect(compact(sections.join(''))).toBe(compact(inChat(messageWith({ message }).text)));
	}
});

describe('Telegram', () => {
	test('gets a line for each row: labels in bold, values as code, and what is surely an address or a number plain', () => {
		const body = requestFor('telegram', messageWith({ name: '🦷 Ana', message: 'one\ntwo' })).body;
		const { text, entities, ...rest } = JSON.parse(body) as TelegramBody;
		expect(text).toMatch(/ lead: 🦷 Ana, Clínica Sol, Spain\n\nMessage:\n {2}one\n {2}two\nName: 🦷 Ana\nClinic: Clínica Sol\n/);
		const marked = (wanted: string) =>
			entities.filter(({ type }) => type === wanted).map(({ offset, length }) => text.slice(offset, offset + length));
		expect(marked('bold').slice(0, 5)).toEqual(['Message:', 'Name:', 'Clinic:', 'Email:', 'Phone:']);
		expect(marked('code').slice(0, 5)).toEqual([text.split('\n', 1)[0], '  one\n  two', '🦷 Ana', 'Clínica Sol', 'Spain']);
		expect(rest).toMatchObject({ link_preview_options: { is_disabled: true } });
	});

	test('finds no number in a phone that is more than one', () => {
		const { body } = requestFor('telegram', messageWith({ phone: '+34 600 /start' }));
		expect(services.telegram.active(body)).toEqual([]);
	});

	test('gets chat and topic from the URL, and nothing else of its query', () => {
		const url = new URL('https://api.telegram.org/bot1:secret/sendMessage?chat_id=@sales&message_thread_id=7&parse_mode=HTML');
		const request = requestFor('telegram', messageWith(), { url });
		expect(request.url.href).toBe('https://api.telegram.org/bot1:secret/sendMessage');
		const body = JSON.parse(request.body) as object;
		expect(body).toMatchObject({ chat_id: '@sales', message_thread_id: 7 });
		expect(body).not.toHaveProperty('parse_mode');
	});
});

test('Google Chat shows who answers a lead in the thread of that lead', async () => {
	const payload = JSON.stringify({ id: 'remark', receivedAt: '', about: receivedLead().id, by: 'Ana' });
	const lead = { payload: JSON.stringify(receivedLead()) };
	const store = { find: async () => [lead] } as unknown as LeadStore;
	const remark = await entryMessage({ kind: 'remark', payload }, store, team);
	const told = fillWords(actions.answers, { name: 'Ana', lead: '7HX1-PB1X (Clínica Sol)' });
	expect([remark.subject, remark.rows]).toEqual([told, []]);
	const arabic = await entryMessage({ kind: 'remark', payload }, store, { ...team, language: 'ar' });
	expect(arabic.subject).toMatch(/^\u2068Ana\u2069 [^\u2068]+ \u20687HX1-PB1X \(Clínica Sol\)\u2069$/);
	const { active } = services.mattermost;
	for (const start of ['# Ana', '- Ana', '1. Ana', '> Ana', '    Ana', '=Ana'])
		expect(active(requestFor('mattermost', { ...remark, subject: `${start} answers 7HX1` }).body)).toEqual([]);
	const [first, second] = [messageWith(), remark].map((message) => requestFor('google-chat', message));
	const threadIn = ({ body }: { body: string }) => (JSON.parse(body) as { thread: object }).thread;
	expect(threadIn(second!)).toEqual(threadIn(first!));
	expect(second!.url.searchParams.get('messageReplyOption')).toBe('REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
	expect(second!.url.searchParams.get('token')).toBe('secret');
});
