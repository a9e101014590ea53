import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { leadOf } from '../support/post-lead.ts';
import { nextAnswer, openConnection, posted, refusing, statusesOf } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const lead = (message = randomUUID()) => JSON.stringify(leadOf({ clinic: 'Sol', message }));
/** The `Connection` headers of the answers on a connection, in order. */
const connectionsIn = (answers: string) =>
	[...answers.matchAll(/^connection: (.*?)\r$/gim)].map(([, option]) => option!.toLowerCase());

test('on SIGTERM under load, what was accepted is answered and delivered, what was not is left alone, and the server exits with 0', async () => {
	await using folder = await temporaryFolder();
	await using receiver = await startWebhookReceiver();
	const settings = { LEAD_STORE: `sqlite:${folder.path}/leads.db`, LEAD_WEBHOOK_URL: receiver.url, LEAD_RATE_LIMIT: 'off' };
	await using server = await startServer(settings);
	const clients = Promise.all(Array.from({ length: 20 }, async () => sendLeads(await openConnection(server.url))));
	await receiver.received(50);
	server.process.signal('SIGTERM');
	const sent = (await clients).flat();
	expect(await server.process.exit()).toBe(0);
	const accepted = sent.filter(({ answer }) => statusesOf(answer)[0] === 200);
	const unanswered = sent.filter(({ answer }) => answer === '');
	expect(accepted.length + unanswered.length).toBe(sent.length);

	await using again = await startServer(settings);
	const arrived = ({ message }: { message: string }) => receiver.requests.some(({ body }) => body.includes(message));
	await expect.poll(() => accepted.filter((lead) => !arrived(lead))).toEqual([]);
	expect(unanswered.filter(arrived)).toEqual([]);
	expect(again.process.log.filter(({ level }) => level === 'error')).toEqual([]);
});

test('on a signal, also on one that comes twice, a lead that is being delivered is answered, idle connections are closed, what comes later ends its own, and what never ends keeps nothing', async () => {
	const held = Promise.withResolvers<void>();
	await using receiver = await startWebhookReceiver({ until: held.promise });
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	const [delivering, idle, late, endless] = await Promise.all([1, 2, 3, 4].map(() => openConnection(server.url)));
	delivering!.write(posted(lead()));
	endless!.write(posted(lead()).slice(0, -1));
	await receiver.received(1);
	idle!.write('GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n');
	await nextAnswer(idle!);
	late!.write('GET /con');
	// It comes twice when npm passes on what a terminal has sent to all. Two of the same might come as one.
	server.process.signal('SIGINT');
	server.process.signal('SIGTERM');
	await refusing(server.url);
	expect(await text(idle!)).toBe('');
	late!.write('tact HTTP/1.1\r\nHost: localhost\r\n\r\n');
	const page = await text(late!);
	expect([statusesOf(page), connectionsIn(page)]).toEqual([[200], ['close']]);
	held.resolve();
	expect(statusesOf(await text(delivering!))).toEqual([200]);
	expect(await server.process.exit()).toBe(0);
});

/** Sends lead after lead until an answer says that it is the last. */
async function sendLeads(socket: Socket): Promise<{ message: string; answer: string }[]> {
	const sent: { message: string; answer: string }[] = [];
	for (;;) {
		const message = randomUUID();
		socket.write(posted(lead(message)));
		const answer = await nextAnswer(socket);
		sent.push({ message, answer });
		if (!connectionsIn(answer).includes('keep-alive')) return sent;
	}
}
