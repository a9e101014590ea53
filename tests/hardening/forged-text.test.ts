import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { trimHit } from '../../src/api/honeypot.ts';
import { noticeMessage } from '../../src/channels/notice.ts';
import { mailOf } from '../../src/channels/mail.ts';
import { type Message, messageOf, type News, referenceOf } from '../../src/channels/message.ts';
import { type FormatName, formatFor, formatNames } from '../../src/channels/webhook.ts';
import { requestOf } from '../../src/channels/webhook-format.ts';
import { dimensions } from '../../src/cli/export.ts';
import { wordsIn } from '../../src/facts/load.ts';
import type { Fields, Judgement } from '../../src/lead/judgement.ts';
import { leadFields, leadSchema } from '../../src/lead/lead.ts';
import { nameOf } from '../../src/lead/words.ts';
import { cleanText } from '../../src/lead/text.ts';
import { services, type SlackBody } from '../channels/chat-services.ts';
import fc from '../support/fast-check.ts';
import { hostileFields, hostileLead } from '../support/hostile-lead.ts';
import { linkSecret, parties, receivedLead, targetAt, team } from '../support/lead.ts';
import { startBackend } from '../support/lead-places.ts';
import { leadOf } from '../support/post-lead.ts';

/** Returns the characters that nobody sees, but for the ends of lines. */
const unseenIn = (text: string) => text.match(/[\p{Cc}--\n]|[\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/gv) ?? [];

/** Expects of a text no unseen characters but those that are part of how it looks, and well-formed Unicode. */
function expectSeen(text: string): void {
	expect(text.isWellFormed()).toBe(true);
	expect(unseenIn(text)).toEqual(unseenIn(cleanText(text)));
}

/** Returns what lines begin with, if they begin as rows do, whatever ends the line before. */
const labelsIn = (text: string, label = /^([^\s:][^:]*?):(?:\s|$)/u) =>
	text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).flatMap((line) => label.exec(line)?.[1] ?? []);

/** Returns every text in a value, by its keys too. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return Object.entries(value ?? {}).flatMap(([key, each]) => [key, ...textsIn(each)]);
}

const composer = createTransport({ streamTransport: true, buffer: true });

/** Removes our own word joiners, the isolates around our values, and what is left of an emoji of thousands of signs that Slack’s limit parts. */
const withoutOurs = (text: string) =>
	text.replaceAll(/\u2060|(?<=:(?:\*\*)? )\u2068|\u2069(?=$|<)/gm, '').replaceAll(/^ {2}\u200D|\u200D$/g, '');

/** Reads the rows of those formats that are one text. */
const asText: Partial<Record<FormatName, (body: SlackBody) => string[]>> = {
	slack: ({ blocks }) => blocks.slice(1).flatMap(({ text: { type, text } }) => (type === 'plain_text' ? labelsIn(text) : [])),
	telegram: ({ text }) => labelsIn(text.split('\n').slice(1).join('\n')),
	mattermost: ({ text }) => labelsIn(text, /^\*\*(.*):\*\*/),
};

/** Expects that no channel shows more of a message than its rows, nothing unseen in them, and one line of the limited length as subject. */
async function expectHonest(message: Message): Promise<void> {
	expect(message.subject.replace('[spam?] ', '')).toMatch(/^[^\r\n\u0085\u2028\u2029]{1,120}$/);
	const labels = message.rows.map(({ label }) => label);
	const mail = await PostalMime.parse((await composer.sendMail(mailOf(message, parties))).message as Buffer);
	for (const text of [mail.subject!, mail.text!, mail.html!]) expectSeen(withoutOurs(text.replaceAll('\r\n', '\n')));
	expect(labelsIn(mail.text!)).toEqual(labels);
	for (const name of formatNames) {
		const url = name in services ? services[name as keyof typeof services].url : 'https://hooks.example/';
		const { body } = requestOf(formatFor(new URL(url), name), message, targetAt(url));
		for (const text of textsIn(JSON.parse(body))) expectSeen(withoutOurs(text));
		const inChat = message.rows.filter((row) => row.inChat ?? true).map(({ label }) => label);
		expect(asText[name]?.(JSON.parse(body) as SlackBody) ?? inChat, name).toEqual(inChat);
	}
}

const signals: Judgement['signals'] = ['links', 'disposable'];

test('no message shows what a visitor hid, or a row that a visitor made', async () => {
	const honest = fc.asyncProperty(hostileLead, async (lead) => {
		const received = { ...receivedLead(), lead, apiKey: '0123456789ab' };
		await expectHonest(messageOf(received, { ...team, linkSecret }, { owner: lead.name, spam: { verdict: 'marked', signals } }));
	});
	await fc.assert(honest, { numRuns: 150 });
});

const { id, receivedAt } = receivedLead();
const { team: words, fieldNames, spamReasons, actions, reminder } = wordsIn('en');
const { name, clinic, email } = fieldNames;

const command = { name: `npm run leads -- release ${referenceOf(id)}`, clinic: spamReasons.links, email: 'a@b.example' };
const age = { name: 'Waiting: 1 second', clinic: 'A\nWaiting: 1 second' };

test.each<[string, news: News, lead: Fields, labels: unknown[]]>([
	['of what lies in quarantine', { number: 1 }, command, [name, clinic, email, words.spam, actions['not-spam']]],
	['of leads that nobody answers', { unanswered: [id], more: 0 }, age, [name, clinic, words.spam, reminder.age]],
])('the notice %s shows a name behind its label, and no row that a visitor made', async (_, news, lead, labels) => {
	const kept = (of: Fields) =>
		({ id, payload: JSON.stringify({ receivedAt, lead: of }), spam: { verdict: 'held', signals } }) as const;
	const told = (of: Fields) => noticeMessage({ id, receivedAt, ...news }, team, [kept(of)]);
	const ofLead = told(lead).rows.find(({ label }) => label.startsWith('1. '));
	expect(labelsIn(ofLead!.value)).toEqual(labels);
	const honest = fc.asyncProperty(hostileFields, (fields) => expectHonest(told(trimHit(fields))));
	await fc.assert(honest, { numRuns: 30 });
});

test('a terminal, an export and the log show nothing that a visitor forged', async () => {
	await using backend = await startBackend({ LEAD_RETENTION: '1d' });
	const drawn = fc.sample(hostileFields, 15);
	for (const fields of drawn) {
		if (leadSchema.safeParse(leadOf(fields)).success) await backend.take(fields);
		await backend.quarantine(leadOf({ ...fields, website: fields['message']! }));
	}
	const print = async (...args: string[]) => (await backend.leads(...args)).stdout;
	const { entries } = JSON.parse(await print('list', '--json', '--limit', '99')) as { entries: { id: string; kind: string }[] };
	expect(entries.length).toBeGreaterThan(drawn.length);
	const printed = [
		await print('list', '--long', '--limit', '99'),
		...(await Promise.all(dimensions.map((what) => print('stats', '--by', what)))),
		(await print('export', '--csv')).replace('\uFEFF', '').replaceAll('\r\n', '\n'),
		await print('export'),
		...textsIn(backend.log),
	];
	for (const text of printed) expectSeen(text);
	const { quarantine, actions } = wordsIn('en');
	const names = leadFields.map((field) => nameOf(field, 'en'));
	const ours = new Set(['Honeypot', 'Verdict', quarantine.advice, actions.act, ...names]);
	for (const { id, kind } of entries) {
		const shown = await print('show', id);
		expectSeen(shown);
		const labels = labelsIn(shown).filter((each) => !/^\d+\. \S{9}$/.test(each));
		expect(labels.filter((each) => !ours.has(each))).toEqual([]);
		if (kind === 'lead') expect(new Set(labels).size).toBe(labels.length);
	}
});
