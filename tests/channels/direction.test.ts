import { expect, test } from 'vitest';
import { mailOf } from '../../src/channels/mail.ts';
import { messageOf } from '../../src/channels/message.ts';
import { type FormatName, formatFor } from '../../src/channels/webhook.ts';
import { requestOf } from '../../src/channels/webhook-format.ts';
import { messageWith, parties, receivedLead, targetAt, team } from '../support/lead.ts';

const arabic = (fields: Parameters<typeof receivedLead>[0] = {}) =>
	messageOf(receivedLead(fields), { ...team, language: 'ar' }, { spam: { verdict: 'marked', signals: ['links'] } });

/** Returns the values behind a label in the text of a mail. */
const inMail = (message: ReturnType<typeof arabic>) =>
	(mailOf(message, parties).text as string).split('\n').map((line) => line.replace(/^[^:]*: /, ''));

test('A value beside words stands in signs that keep its direction, where one of them is written from the right', () => {
	const phone = '+966 50 123 4567';
	expect(inMail(arabic({ phone, name: 'Ana (Sol)' }))).toEqual(expect.arrayContaining([`⁨${phone}⁩`, '⁨Ana (Sol)⁩']));
	expect(inMail(messageWith({ phone, name: 'سارة (1)' }))).toEqual(expect.arrayContaining([phone, '⁨سارة (1)⁩']));
	expect(messageWith({ phone }).text).not.toMatch(/[\u2066-\u2069]/);
});

const linked = ['ana@clinica.example', 'https://clinica.example/a', 'ten calls, see clinica.example', 'ana@clinica.example asks'];
test.each(linked)('A value of which a program makes a link has no sign beside it: %s', (clinic) => {
	expect(inMail(arabic({ clinic, message: '' }))).toContain(clinic);
});

const chats: FormatName[] = ['slack', 'mattermost', 'telegram'];
const programs: FormatName[] = ['json', 'hubspot'];
test.each([...chats, ...programs])('A phone number beside Arabic words stands in such signs in chat, not in %s', (name) => {
	const url = 'https://api.telegram.org/bot1:a/sendMessage?chat_id=1';
	const { body } = requestOf(formatFor(new URL(url), name), arabic({ phone: '+966 50', message: 'مرحبا' }), targetAt(url));
	expect(/\u2068\\*\+966 50\u2069/.test(body.replaceAll('\\\\', '\\'))).toBe(chats.includes(name));
	expect(/[\u2066-\u2069]/.test(body)).toBe(chats.includes(name));
});
