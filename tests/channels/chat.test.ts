import { describe, expect, test } from 'vitest';
import type { Lead } from '../../src/lead/lead.ts';
import { type FormatName, formatFor, targetsOf, webhook } from '../../src/channels/webhook.ts';
import { requestOf, type WebhookTarget } from '../../src/channels/webhook-format.ts';
import { type Message, messageOf } from '../../src/channels/message.ts';
import { noticeMessage } from '../../src/channels/entry.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import fc from '../support/fast-check.ts';
import { hostileMessage } from '../support/hostile-lead.ts';
import { leadWith, messageWith, receivedLead, team } from '../support/lead.ts';
import { targetAt } from '../support/target.ts';
import { startWebhookReceiver, type WebhookReply } from '../support/webhook-receiver.ts';
import { type ChatService, services } from './chat-services.ts';

type Fields = Partial<Record<keyof Lead, string>>;

/** Returns the request that a service gets. */
function requestFor(name: keyof typeof services, message: Message, options?: Partial<WebhookTarget>) {
	const target = targetAt(services[name].url, options);
	return requestOf(formatFor(target.url, name), message, target);
}

/** Returns what it gets for a lead, as JSON. */
const sent = <Body>(name: keyof typeof services, fields: Fields = {}) =>
	JSON.parse(requestFor(name, messageWith(fields)).body) as Body;

const tooMuch = ([, actual, limit]: [string, number, number]) => actual > limit;

/** Returns the news that mail fails for this reason. */
const noticeOf = (reason: string) =>
	noticeMessage({ id: '0b1f6a3e', receivedAt: '2026-11-21T09:30:00.000Z', channel: 'email', reason, parked: true }, team);

const rows = Object.entries(services) as [keyof typeof services, ChatService][];

describe.each(rows)('%s', (name, service) => {
	const bodyFor = (message: Message) => requestFor(name, message).body;

	/** Returns the result of a message when the service answers like this. */
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

	test.each([
		['a lead with no more than it needs', messageWith({ phone: '', country: '', message: '', lang: '', source: '' })],
		['a request for API access', messageWith({ source: 'api-access' })],
		['news of a channel', noticeOf('SMTP 535 to AUTH PLAIN')],
	])('shows every row of %s', (_, message) => {
		const seen = service.visible(bodyFor(message));
		for (const { name, label, value } of message.rows) {
			if (name !== 'message') expect(seen).toContain(label);
			for (const line of value.split('\n')) expect(seen).toContain(line);
		}
		expect(seen).toContain(message.subject);
		expect(service.active(bodyFor(message))).toEqual([]);
	});

	test('has taken a message when it says so, however the answer comes', async () => {
		const [status, body] = service.success;
		const { delivery, request } = await deliver({ status, body: [...`${body}\n`] });
		expect(delivery).toEqual({ ok: true });
		expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': service.mediaType ?? 'application/json' } });
	});

	test.each(service.refusals)('refuses with %i %s: %s, which is %s', async (status, body, reason, until) => {
		const { delivery } = await deliver({ status, body });
		const retryAfter = typeof until === 'number' ? until : undefined;
		expect(delivery).toEqual({ ok: false, permanent: until === 'final', reason, retryAfter });
	});

	test('says where the rest is when a lead is too long for it', () => {
		const message = messageOf({ ...receivedLead(), lead: { ...leadWith(), message: '界&<'.repeat(10_000) } }, team);
		const body = bodyFor(message);
		expect(service.sizes(body).filter(tooMuch)).toEqual([]);
		expect(service.visible(body)).toContain('… (shortened; see the mail of this lead)');
		for (const { value } of message.rows.filter(({ name }) => name !== 'message')) expect(service.visible(body)).toContain(value);
	});

	test.each(['&', '<', '@', '"', '\n', '🦷', '界', '\u0301', '👩‍⚕️'])('takes the longest lead there can be in %j', (character) => {
		const fill = (max: number) => [...`x${character.repeat(max)}`].slice(0, max).join('');
		const email = `${'`'.repeat(64)}@${`${'é'.repeat(38)}.`.repeat(4)}example`;
		const [name, clinic, phone, country, message, lang, source] = [120, 160, 40, 80, 5000, 35, 200].map(fill);
		const body = bodyFor(messageWith({ name, clinic, email, phone, country, message, lang, source }));
		expect(service.sizes(body).filter(tooMuch)).toEqual([]);
		expect(service.visible(body)).toContain('Agreed to the privacy notice of 2026-11-01');
	});

	// RUNS=5000 searches further.
	test('gets the same structure whatever a visitor writes, nothing but text in it, all of it, within its limits', () => {
		const { structure = JSON.parse, visible, active, sizes } = service;
		const harmless = messageWith({ phone: 'x', email: 'ana@clinica.example', message: 'x\ny' });
		const shape = shapeOf(structure(bodyFor(harmless)));
		fc.assert(
			fc.property(hostileMessage, (message) => {
				const body = bodyFor(message);
				expect(shapeOf(structure(body))).toEqual(shape);
				expect(active(body)).toEqual([]);
				expectAllOf(message, visible(body));
				expect(sizes(body).filter(tooMuch)).toEqual([]);
				expect(body.isWellFormed()).toBe(true);
			}),
			{ numRuns: Number(process.env['RUNS'] ?? 150) },
		);
	});
});

describe('Any chat service', () => {
	const seenIn = (message: Message, options: Partial<WebhookTarget>) =>
		services.telegram.visible(requestFor('telegram', message, options).body);

	test('names the command that shows the rest, and of news no place where a lead would be', () => {
		const message = messageWith({ message: '界'.repeat(5000) });
		const byStore = `… (shortened; run npm run leads -- show ${message.id})`;
		expect(seenIn(message, { fullText: 'store' })).toContain(byStore);
		expect(seenIn(noticeOf('x'.repeat(40_000)), { fullText: 'mail' })).toContain('x… (shortened)');
	});

	test('gets nothing that is for mail only', () => {
		const secret = { name: 'secret', label: 'For mail', value: 'only', inChat: false };
		const message = { ...messageWith(), text: `${messageWith().text}\nFor mail: only` };
		expect(seenIn({ ...message, rows: [...message.rows, secret] }, {})).toBe(seenIn(messageWith(), {}));
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

/** Expects all text to be visible, except for white space and word joiners. The longest value may be cut. */
function expectAllOf({ rows, subject }: Message, seen: string): void {
	const visible = compact(seen);
	const shortened = visible.indexOf(compact('… (shortened; see the mail of this lead)'));
	for (const value of [subject, ...rows.map((row) => row.value)]) {
		if (visible.includes(compact(value))) continue;
		expect(shortened).toBeGreaterThan(0);
		const beginning = visible.slice(Math.max(0, shortened - 20), shortened);
		expect(compact(value)).toContain(beginning.slice(beginning.lastIndexOf(':') + 1));
	}
}

const compact = (text: string) => text.replace(/[\s\u2060]/g, '');

describe('Discord', () => {
	type Embed = { embeds: [{ description?: string; fields: unknown[] }] };
	const embedOf = (fields: Fields) => sent<Embed>('discord', fields).embeds[0];

	test('gets who asks as the title, the message below it, and every other value beside its label', () => {
		const embed = embedOf({ phone: '', country: '', source: '', message: 'a-b 1.5 *c*' });
		expect(embed).toEqual({
			title: expect.stringMatching(/ lead\\: Ana Ruiz, Clínica Sol$/),
			description: 'a-b 1.5 \\*c\\*',
			fields: expect.arrayContaining([{ name: 'Name', value: 'Ana Ruiz', inline: true }]),
			timestamp: receivedLead().receivedAt,
		});
		expect(embed.fields).not.toContainEqual(expect.objectContaining({ name: 'Message' }));
		expect(embedOf({ message: '' })).not.toHaveProperty('description');
	});

	test('is asked to say whether it took the message', () => {
		const url = new URL('https://discord.com/api/webhooks/1/secret?thread_id=7');
		expect(requestFor('discord', messageWith(), { url }).url.href).toBe(`${url.href}&wait=true`);
	});
});

test('Google Chat gets a card with a title and a row for each value', () => {
	const { cardsV2 } = sent<{ cardsV2: [{ cardId: string; card: { sections: [{ widgets: unknown[] }] } }] }>('google-chat', {
		name: 'Ana <users/all> & Co',
		message: '',
	});
	expect(cardsV2[0].cardId).toBe(receivedLead().id);
	expect(cardsV2[0].card.sections[0].widgets.slice(0, 2)).toEqual([
		{ textParagraph: { text: expect.stringMatching(/^<b>.* lead: Ana &lt;users\/all&gt; &amp; Co, Clínica Sol, Spain<\/b>$/) } },
		{ decoratedText: { topLabel: 'Name', text: 'Ana &lt;users/all&gt; &amp; Co', wrapText: true } },
	]);
});

describe('Mattermost', () => {
	const textFor = (fields: Fields) => sent<{ text: string }>('mattermost', fields).text;

	test('gets a title, a line a row, and several lines as a quotation', () => {
		const text = textFor({ message: 'one\n\n    two' });
		expect(text).toMatch(
			/^#### .* lead: Ana Ruiz, Clínica Sol, Spain\n\*\*Message:\*\*\n> one\n> \n> \u00A0{4}two\n\n\*\*Name:\*\* Ana Ruiz\n/,
		);
		expect(text).toContain('**Email:** ana@clinicasol\\.example');
	});

	test.each([
		[':smile: at 09:30', ':\u2060smile: at 09:30'],
		['~town #tag', '\\~\u2060town #\u2060tag'],
	])('gets %j, which Markdown does not know, as %j', (clinic, escaped) => {
		expect(textFor({ clinic })).toContain(`**Clinic:** ${escaped}\n`);
	});
});

test('Slack shows who asks, every row as plain text, and a link to answer', () => {
	const message = messageWith();
	expect(sent('slack')).toEqual({
		text: expect.stringContaining(' lead: Ana Ruiz, Clínica Sol, Spain'),
		mrkdwn: false,
		blocks: [
			{ type: 'header', text: { type: 'plain_text', text: message.subject, emoji: false } },
			{ type: 'section', text: { type: 'plain_text', text: message.text, emoji: false } },
			{ type: 'section', text: { type: 'mrkdwn', text: '<mailto:ana@clinicasol.example|Write an answer>' } },
		],
		unfurl_links: false,
		unfurl_media: false,
	});
});

test('Slack gets no empty section, which it refuses, and all lines', () => {
	for (const message of [`a${'\n'.repeat(4990)}b`, `${'🦷'.repeat(2998)}\nx`]) {
		const { blocks } = sent<{ blocks: { text: { text: string } }[] }>('slack', { message });
		const sections = blocks.slice(1, -1).map(({ text }) => text.text);
		expect(sections.filter((section) => section.trim() === '')).toEqual([]);
		expect(compact(sections.join(''))).toBe(compact(messageWith({ message }).text));
	}
});

describe('Teams', () => {
	test('gets an Adaptive Card in a message, as Workflows wants it', () => {
		const body = sent<{ attachments: [{ content: { body: unknown[] } }] }>('teams', { message: '' });
		expect(body).toMatchObject({
			type: 'message',
			attachments: [
				{
					contentType: 'application/vnd.microsoft.card.adaptive',
					contentUrl: null,
					content: { type: 'AdaptiveCard', version: '1.4' },
				},
			],
		});
		expect(body.attachments[0].content.body.slice(0, 3)).toEqual([
			{
				type: 'RichTextBlock',
				inlines: [{ type: 'TextRun', text: messageWith().subject, size: 'Large', weight: 'Bolder' }],
			},
			{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'Name', weight: 'Bolder' }] },
			{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'Ana Ruiz' }], spacing: 'None' },
		]);
	});
});

describe('Telegram', () => {
	interface Sent {
		text: string;
		entities: { type: string; offset: number; length: number }[];
		link_preview_options: unknown;
	}

	const marked = ({ text, entities }: Sent, wanted: string) =>
		entities.filter(({ type }) => type === wanted).map(({ offset, length }) => text.slice(offset, offset + length));

	test('gets labels in bold, values as code, and what is surely an address or a number to be found as such', () => {
		const body = sent<Sent>('telegram', { name: '🦷 Ana', message: '' });
		expect(marked(body, 'bold').slice(0, 4)).toEqual(['Name:', 'Clinic:', 'Email:', 'Phone:']);
		expect(marked(body, 'code').slice(1, 4)).toEqual(['🦷 Ana', 'Clínica Sol', 'Spain']);
		expect(body.entities[0]).toEqual({ type: 'code', offset: 0, length: body.text.indexOf('\n') });
		expect(body.link_preview_options).toEqual({ is_disabled: true });
	});

	test('gets who asks, and below it a line for each row, or more where the value has more', () => {
		const { text } = sent<Sent>('telegram', { message: 'one\ntwo' });
		expect(text).toMatch(/ lead: Ana Ruiz, Clínica Sol, Spain\n\nMessage:\none\ntwo\nName: Ana Ruiz\nClinic: Clínica Sol\n/);
	});

	test('finds no number in a phone that is more than one', () => {
		const phone = '+34 600 /start';
		expect(marked(sent('telegram', { phone }), 'code')).toContain(phone);
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
