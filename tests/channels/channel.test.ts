import path from 'node:path';
import { getEventListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Channel, sendWithin } from '../../src/channels/channel.ts';
import { email } from '../../src/channels/smtp.ts';
import { json } from '../../src/channels/programs.ts';
import { mailbox } from '../../src/channels/mailbox.ts';
import { webhook } from '../../src/channels/webhook.ts';
import { messageWith, parties } from '../support/lead.ts';
import { readMaildir } from '../support/maildir.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { targetAt } from '../support/target.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const never = new AbortController().signal;
const message = messageWith();

describe.each([
	['email', startEmail],
	['mailbox', startMailbox],
	['webhook', startWebhook],
])('The channel %s', (_, start) => {
	test('delivers nothing when the time is over, and calls it a failure that may pass', async () => {
		await using subject = await start();
		for (const [why, reason] of [
			[undefined, 'AbortError'],
			['a word', 'UnknownError'],
			[new Error('a word', { cause: null }), 'Error'],
		]) {
			const delivery = await subject.channel.send(message, AbortSignal.abort(why));
			expect(delivery).toEqual({ ok: false, permanent: false, reason });
		}
		await expect(subject.delivered()).resolves.toEqual([]);
	});

	test('fails for now when its receiver is not there, and names neither place nor secret', async () => {
		const subject = await start();
		await subject[Symbol.asyncDispose]();
		await subject.breakDown?.();
		const delivery = await subject.channel.send(message, never);
		expect(delivery).toEqual({ ok: false, permanent: false, reason: expect.stringMatching(/^E[A-Z]+$/) });
	});
});

test('a message that cannot be made after its try was cut off is sent nowhere and ends no process', async () => {
	const unhandled: unknown[] = [];
	const listen = (error: unknown) => void unhandled.push(error);
	process.on('unhandledRejection', listen);
	onTestFinished(() => void process.off('unhandledRejection', listen));
	const channel: Channel = { name: 'channel', send: () => Promise.resolve({ ok: true }) };
	const { promise, reject } = Promise.withResolvers<typeof message>();
	await expect(sendWithin(1000, channel, promise, AbortSignal.abort())).resolves.toMatchObject({ ok: false });
	reject(new Error('The store is closed.'));
	await nextTurn();
	expect(unhandled).toEqual([]);
});

test('a try leaves nothing with the signal that could have cut it off', async () => {
	const { signal } = new AbortController();
	const channel: Channel = { name: 'channel', send: () => Promise.resolve({ ok: true }) };
	await sendWithin(1000, channel, message, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});

interface Started extends AsyncDisposable {
	channel: Channel;
	/** Returns what was delivered. */
	delivered(): Promise<unknown[]>;
	/** Breaks the receiver if stopping it is not enough. */
	breakDown?(): Promise<void>;
}

async function startEmail(): Promise<Started> {
	const server = await startSmtpServer();
	return {
		channel: email(server.url.replace('//', '//user:pass@'), parties),
		delivered: async () => server.mails,
		[Symbol.asyncDispose]: server[Symbol.asyncDispose],
	};
}

async function startMailbox(): Promise<Started> {
	const folder = await temporaryFolder();
	return {
		channel: mailbox(path.join(folder.path, 'secret'), parties),
		delivered: () => readMaildir(path.join(folder.path, 'secret')),
		breakDown: () => writeFile(folder.path, 'a file where the folder should be'),
		[Symbol.asyncDispose]: folder[Symbol.asyncDispose],
	};
}

async function startWebhook(): Promise<Started> {
	const receiver = await startWebhookReceiver();
	return {
		channel: webhook('hook', json, targetAt(receiver.url)),
		delivered: async () => receiver.requests,
		[Symbol.asyncDispose]: receiver[Symbol.asyncDispose],
	};
}
