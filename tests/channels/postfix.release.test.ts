import { describe, expect, test } from 'vitest';
import { email } from '../../src/channels/smtp.ts';
import type { Message } from '../../src/channels/message.ts';
import { messageWith, parties } from '../support/lead.ts';
import { readMaildir } from '../support/maildir.ts';
import { postfixMissing, startPostfix } from '../support/postfix.ts';

const send = (url: string, to: string[], message: Message) =>
	email(url, { ...parties, to }).send(message, new AbortController().signal);

describe.skipIf(postfixMissing)('With Postfix', { concurrent: true }, () => {
	test.each([
		['sales@website.test', true],
		['büro@website.test', true],
		['büro@website.test', false],
		['.abc..def.@website.test', false],
	])('%s gets what was sent (SMTPUTF8: %j)', async (address, smtpUtf8) => {
		await using server = await startPostfix({ smtpUtf8 });
		// The domain of the visitor needs no SMTPUTF8.
		const message = messageWith({ email: 'ana@clínica.example' });
		await expect(send(server.url, [address], message)).resolves.toEqual({ ok: true });
		await expect.poll(() => readMaildir(server.mailbox)).toHaveLength(1);
		const [mail] = await readMaildir(server.mailbox);
		expect(mail?.parsed).toMatchObject({ subject: message.subject, replyTo: [message.replyTo] });
		expect(mail?.parsed.text?.trimEnd()).toBe(message.text);
		expect(mail?.parsed.to?.map((to) => to.address?.replaceAll('"', ''))).toEqual([address]);
	});

	test('a mail that is too large is refused for good', async () => {
		await using server = await startPostfix({ sizeLimit: 20_000 });
		const delivery = await send(server.url, ['sales@website.test'], messageWith({ message: '🦷'.repeat(5000) }));
		expect(delivery).toMatchObject({ ok: false, permanent: true, reason: expect.stringMatching(/SMTP 552|EMESSAGE/) });
		await expect(readMaildir(server.mailbox)).resolves.toEqual([]);
	});
});
