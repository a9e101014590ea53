import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { canaryLead, canaryName } from '../../src/lead/words.ts';
import { startStoring } from '../support/lead-places.ts';
import { type LeadValues, postLead } from '../support/post-lead.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const now = Date.now();
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }));
afterEach(() => void vi.useRealTimers());

const [secret, other] = ['a', 'b'].map((letter) => createSecretKey(letter.repeat(32), 'utf8')) as [never, never];
/** Returns the message of a canary that was made so many milliseconds ago. */
function messageOf(id: string, key = secret, age = 0): string {
	vi.setSystemTime(now - age);
	const { message = '' } = canaryLead(id, key);
	vi.setSystemTime(now);
	return message;
}
const message = messageOf('1f2e');
const time = String(now);
const END = 10 * 60_000;

test.each<[what: string, lead: { message?: unknown }, known: boolean]>([
	['as it was made', { message }, true],
	['signed with another secret', { message: messageOf('1f2e', other) }, false],
	['with another id', { message: message.replace('1f2e', '1f2f') }, false],
	['with a signature that was cut', { message: message.slice(0, -1) }, false],
	['with words behind it', { message: `${message}\nPlease call me.` }, false],
	['with a later time', { message: message.replace(time, String(now + 1)) }, false],
	['without a time', { message: message.replace(` ${time}`, '') }, false],
	['in the last moment of its life', { message: messageOf('1f2e', secret, END) }, true],
	['whose life is over', { message: messageOf('1f2e', secret, END + 1) }, false],
	['by a clock that is ahead by its life', { message: messageOf('1f2e', secret, -END) }, true],
	['by a clock that is ahead by more', { message: messageOf('1f2e', secret, -END - 1) }, false],
	['without a message', {}, false],
	['whose message is no text', { message: { toString: 1 } }, false],
])('a lead %s is a canary: %j, %j', (_, lead, known) => {
	expect(canaryName(lead, secret) !== undefined).toBe(known);
});

test.each(['', 'none'])('with LEAD_STORE=%s a canary works once, and then is a lead', async (store) => {
	await using canaries = await startWebhookReceiver();
	const settings = { CANARY_SECRET: 'a'.repeat(32), CANARY_WEBHOOK: new URL(canaries.url).host };
	await using place = await startStoring({ ...settings, ...(store && { LEAD_STORE: store }) });
	const send = async (fields: LeadValues, key?: string) => {
		const answer = await postLead(place.server.url, fields, key ? { 'idempotency-key': key } : {});
		return [answer.status, Object.keys((await answer.json()) as object)];
	};
	const ofLead = await send({ message: 'a lead' });
	expect(ofLead[0]).toBe(200);
	const sent: LeadValues[] = [
		{ message },
		{ message },
		{ message, name: 'Somebody else' },
		{ message: `Please call me.${message}`, email: 'other@clinic.example' },
	];
	for (const fields of sent) for (const key of [undefined, 'a', 'b']) expect(await send(fields, key)).toEqual(ofLead);
	await send({ message: messageOf('1f2e', secret, END + 60_000) });
	await place.receiver.received(2);
	await canaries.received(1);
	expect([place.receiver.requests.length, canaries.requests.length]).toEqual([2, 1]);
	if (store) return;
	using file = place.database();
	const kinds = file.prepare('SELECT kind FROM lead_entries ORDER BY kind').all();
	expect(kinds.map(({ kind }) => kind)).toEqual(['canary', 'lead', 'lead']);
});
