import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Channel, failureOf, sendWithin, TRY_TIMEOUT_MS } from '../../src/channels/channel.ts';
import { email } from '../../src/channels/smtp.ts';
import { json } from '../../src/channels/programs.ts';
import { mailbox } from '../../src/channels/mailbox.ts';
import { webhook } from '../../src/channels/webhook.ts';
import { messageWith, parties, targetAt } from '../support/lead.ts';
import { NOBODY } from '../support/listening.ts';

const message = messageWith();
const sends: Channel = { name: 'channel', send: () => Promise.resolve({ ok: true }) };

test.each([
	['email', email(`smtp://user:pass@${NOBODY}`, parties), 'ECONNREFUSED'],
	['mailbox', mailbox('/dev/null/secret', parties), 'ENOTDIR'],
	['webhook', webhook('hook', json, targetAt(`http://${NOBODY}/secret`)), 'ECONNREFUSED'],
])('Without a server or time %s fails for now, and names neither place nor secret', async (_, channel, reason) => {
	const failure = { ok: false, outlook: 'passing' };
	expect(await sendWithin(TRY_TIMEOUT_MS, channel, message)).toEqual({ ...failure, reason });
	const signal = AbortSignal.abort();
	const late = channel.send(message, signal).catch((error: unknown) => failureOf(error, signal));
	expect(await late).toEqual({ ...failure, reason: 'AbortError' });
});

test('a message that cannot be made after its try was cut off is sent nowhere and ends no process', async () => {
	const { promise, reject } = Promise.withResolvers<typeof message>();
	await expect(sendWithin(1000, sends, promise, AbortSignal.abort())).resolves.toMatchObject({ ok: false });
	reject(new Error('The store is closed.'));
	// Vitest fails for a rejection without a handler.
	await nextTurn();
});

test('a try leaves nothing with the signal that could have cut it off', async () => {
	const { signal } = new AbortController();
	await sendWithin(1000, sends, message, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});
