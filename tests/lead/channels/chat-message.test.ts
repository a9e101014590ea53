import { expect, test } from 'vitest';
import { chatMessage, fitBody } from '../../../src/lead/channels/chat-message.ts';
import { messageOf } from '../../../src/lead/message/message.ts';
import { noticeMessage } from '../../../src/lead/message/notice.ts';
import { messageWith, receivedLead } from '../../support/lead.ts';

test('Of several values that are too long together, as many are cut as need be', () => {
	const { lead, ...received } = receivedLead({ message: 'a'.repeat(5000) });
	const message = messageOf({ ...received, lead: Object.assign(lead, { notes: 'b'.repeat(3000) }) });
	const text = fitBody(
		message,
		'mail',
		({ text }) => text,
		(text) => text.length <= 1000,
	);
	expect(text.length).toBe(1000);
	expect(text).toMatch(/Message: … \(shortened; see the mail of this lead\)\n[^]*notes: b+… \(shortened/);
});

test('News of a channel that are too long name no place where a lead would be', () => {
	const notice = { id: '1', receivedAt: '2026-11-21T09:30:00.000Z', channel: 'email', reason: 'x'.repeat(500), parked: true };
	const text = fitBody(
		noticeMessage(notice),
		'mail',
		({ text }) => text,
		(text) => text.length <= 400,
	);
	expect(text).toMatch(/Reason: x+… \(shortened\)\n/);
});

test('What is for mail only is in chat neither as a row nor in the text', () => {
	const message = messageWith();
	const secret = { name: 'secret', label: 'For mail', value: 'only', inChat: false };
	const chat = chatMessage({ ...message, rows: [...message.rows, secret], text: `${message.text}\nFor mail: only` });
	expect(chat.rows).toEqual(message.rows);
	expect(chat.text).toBe(message.text);
});
