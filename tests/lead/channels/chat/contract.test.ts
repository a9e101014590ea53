import fc from '../../../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import type * as chat from '../../../../src/lead/channels/chat/index.ts';
import { json } from '../../../../src/lead/channels/json.ts';
import { formatFor } from '../../../../src/lead/channels/known-formats.ts';
import { webhook } from '../../../../src/lead/channels/webhook.ts';
import { type Message, messageOf } from '../../../../src/lead/message/message.ts';
import { noticeMessage } from '../../../../src/lead/message/notice.ts';
import { readSettings } from '../../../../src/server/settings/settings.ts';
import { bodyFor, type ChatService } from '../../../support/chat-service.ts';
import { hostileMessage } from '../../../support/hostile-lead.ts';
import { leadWith, messageWith, receivedLead } from '../../../support/lead.ts';
import { targetAt } from '../../../support/target.ts';
import { startWebhookReceiver, type WebhookReply } from '../../../support/webhook-receiver.ts';
import * as known from './index.ts';

/** All services: a missing one is a type error. */
const services: Record<keyof typeof chat, ChatService> = known;

const notice = noticeMessage({
	id: '0b1f6a3e-52cf-4d53-8f6b-7f1d3c1a9e10',
	receivedAt: '2026-11-21T09:30:00.000Z',
	channel: 'email',
	reason: 'SMTP 535 to AUTH PLAIN',
	parked: true,
});

/** Returns whether a size is over the service's limit. */
const tooMuch = ([, actual, limit]: [string, number, number]) => actual > limit;

/** Returns the result of a message when the service answers like this. */
async function deliver({ format, path }: ChatService, reply: WebhookReply) {
	await using receiver = await startWebhookReceiver(reply);
	const url = new URL(path, receiver.url);
	const channel = webhook('chat', format, targetAt(url.href));
	return { delivery: await channel.send(messageWith(), new AbortController().signal), requests: receiver.requests };
}

describe.each(Object.values(services))('$format.name', (service) => {
	test('is known by its name, and by its URL where that is enough', () => {
		const { format, host, path } = service;
		const url = `https://${host}${path}`;
		const byName = readSettings({ LEAD_WEBHOOK_URL: url, LEAD_WEBHOOK_FORMAT: format.name }).webhooks.targets[0]!;
		expect(formatFor(byName.url, byName.format)).toBe(format);
		expect(formatFor(new URL(url), 'auto')).toBe(format.recognises ? format : json);
	});

	test.each([
		['a lead', messageWith()],
		['a lead with no more than it needs', messageWith({ phone: '', country: '', message: '', lang: '', source: '' })],
		['a request for API access', messageWith({ source: 'api-access' })],
		['news of a channel', notice],
	])('shows every row of %s', (_, message) => {
		const seen = service.visible(bodyFor(service, message));
		for (const { name, label, value } of message.rows) {
			if (name !== 'message') expect(seen).toContain(label);
			for (const line of value.split('\n')) expect(seen).toContain(line);
		}
		expect(seen).toContain(message.subject);
		expect(service.active(bodyFor(service, message))).toEqual([]);
	});

	test('has taken a message when it says so', async () => {
		const { delivery, requests } = await deliver(service, service.success);
		expect(delivery).toEqual({ ok: true });
		expect(requests).toMatchObject([{ method: 'POST', headers: { 'content-type': service.mediaType ?? 'application/json' } }]);
	});

	test.each<[string, (text: string) => WebhookReply['body']]>([
		['ends with a line break', (text) => `${text}\n`],
		['comes in pieces', (text) => [...text]],
	])('has taken it, too, when what it says %s', async (_, told) => {
		const text = Array.from((service.success.body as string | undefined) ?? 'ok').join('');
		const { delivery } = await deliver(service, { ...service.success, body: told(text)! });
		expect(delivery).toEqual({ ok: true });
	});

	test.each(Object.entries(service.refusals))('refuses with %s: %j', async (reason, { permanent, retryAfter, ...reply }) => {
		const { delivery } = await deliver(service, reply);
		expect(delivery).toEqual({ ok: false, permanent, reason, retryAfter });
	});

	test('says where the rest is when a lead is too long for it', () => {
		const message = messageOf({ ...receivedLead(), lead: { ...leadWith(), message: '界&<'.repeat(10_000) } });
		const [byMail, byStore] = [bodyFor(service, message), bodyFor(service, message, { fullText: 'store' })];
		expect(service.sizes(byMail).filter(tooMuch)).toEqual([]);
		expect(service.visible(byMail)).toContain('… (shortened; see the mail of this lead)');
		expect(service.visible(byStore)).toContain(`… (shortened; run npm run leads -- show ${message.id})`);
		for (const { value } of message.rows.filter(({ name }) => name !== 'message'))
			expect(service.visible(byMail)).toContain(value);
	});

	test('takes a lead that has several values which are too long', () => {
		const lead = Object.assign(leadWith({ message: 'a'.repeat(5000) }), { notes: 'b'.repeat(5000), more: 'c'.repeat(5000) });
		const body = bodyFor(service, messageOf({ ...receivedLead(), lead }));
		expect(service.sizes(body).filter(tooMuch)).toEqual([]);
		expect(service.visible(body)).toContain('Agreed to the privacy notice of 2026-11-01');
	});

	test.each(['&', '<', '@', '"', '\n', '🦷', '界', '\u0301', '👩‍⚕️'])('takes the longest lead there can be in %j', (character) => {
		const fill = (max: number) => [...`x${character.repeat(max)}`].slice(0, max).join('');
		const email = `${'`'.repeat(64)}@${`${'é'.repeat(38)}.`.repeat(4)}example`;
		const [name, clinic, phone, country, message, lang, source] = [120, 160, 40, 80, 5000, 35, 200].map(fill);
		const body = bodyFor(service, messageWith({ name, clinic, email, phone, country, message, lang, source }));
		expect(service.sizes(body).filter(tooMuch)).toEqual([]);
		expect(service.visible(body)).toContain('Agreed to the privacy notice of 2026-11-01');
	});

	test('gets no free text where chat is not to have it, and says where it is', async () => {
		await using receiver = await startWebhookReceiver(service.success);
		const target = targetAt(new URL(service.path, receiver.url).href, { freeText: false, fullText: 'store' });
		const message = messageWith({ message: 'My patient has measles.' });
		await webhook('chat', service.format, target).send(message, new AbortController().signal);
		const { body } = receiver.requests[0]!;
		expect(body).not.toContain('measles');
		expect(service.visible(body)).toContain('Ana Ruiz');
		expect(service.visible(body)).toContain(`Not shown in chat: run npm run leads -- show ${message.id}`);
	});

	// RUNS=5000 searches further.
	test('gets the same structure whatever a visitor writes, nothing but text in it, all of it, within its limits', () => {
		const { structure = JSON.parse, visible, active, sizes } = service;
		const harmless = messageWith({ phone: 'x', email: 'ana@clinica.example', message: 'x\ny' });
		const shape = shapeOf(structure(bodyFor(service, harmless)));
		fc.assert(
			fc.property(hostileMessage, (message) => {
				const body = bodyFor(service, message);
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
