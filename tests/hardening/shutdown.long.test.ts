import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { leadOf } from '../support/post-lead.ts';
import { nextAnswer, openConnection, posted, refusing, statusesOf } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('on a signal, also on one that comes twice, a lead that is being delivered is answered, idle connections are closed, what comes later ends its own, and what never ends keeps nothing', async () => {
	const held = Promise.withResolvers<void>();
	await using receiver = await startWebhookReceiver({ until: held.promise });
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	const [delivering, idle, late, endless] = await Promise.all([1, 2, 3, 4].map(() => openConnection(server.url)));
	const lead = posted(JSON.stringify(leadOf({ clinic: 'Sol' })));
	delivering!.write(lead);
	endless!.write(lead.slice(0, -1));
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
	expect([statusesOf(page), /^connection: close\r$/im.test(page)]).toEqual([[200], true]);
	held.resolve();
	expect(statusesOf(await text(delivering!))).toEqual([200]);
	expect(await server.process.exit()).toBe(0);
});
