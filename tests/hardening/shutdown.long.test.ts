import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startStoring } from '../support/lead-places.ts';
import { reached } from '../support/listening.ts';
import { leadOf } from '../support/post-lead.ts';
import { nextAnswer, openConnection, posted, statusesOf } from '../support/raw-connection.ts';

const STATUS = 'GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n';

const endsConnection = (answer: string) => /^connection: close\r$/im.test(answer);

test('a server that gets a signal, once or twice, answers what has begun, closes connections without a request, and waits for no body that never ends', async () => {
	const held = Promise.withResolvers<void>();
	await using storing = await startStoring({ LEAD_STORE: 'none' }, { until: held.promise });
	const { receiver, server } = storing;
	const [delivering, idle, busy, late, endless] = await Promise.all([1, 2, 3, 4, 5].map(() => openConnection(server.url)));
	const lead = posted(JSON.stringify(leadOf({ clinic: 'Sol' })));
	delivering!.write(lead);
	endless!.write(lead.slice(0, -1));
	await receiver.received(1);
	for (const each of [idle!, busy!]) {
		each.write(STATUS);
		expect(endsConnection(await nextAnswer(each))).toBe(false);
	}
	late!.write('GET /con');
	// It comes twice when npm passes on what a terminal has sent to all. Two of the same might come as one.
	server.process.signal('SIGINT');
	server.process.signal('SIGTERM');
	await expect.poll(async () => (await fetch(`${server.url}/api/status`)).headers.get('connection')).toBe('close');
	busy!.write(STATUS);
	const last = await text(busy!);
	expect([statusesOf(last), endsConnection(last)]).toEqual([[200], true]);
	expect(await text(idle!)).toBe('');
	const { hostname, port } = new URL(server.url);
	await expect.poll(() => reached(Number(port), hostname)).toBe(false);
	late!.write('tact HTTP/1.1\r\nHost: localhost\r\n\r\n');
	const page = await text(late!);
	expect([statusesOf(page), endsConnection(page)]).toEqual([[200], true]);
	held.resolve();
	const delivered = await text(delivering!);
	expect([statusesOf(delivered), endsConnection(delivered)]).toEqual([[200], true]);
	expect(await server.process.exit()).toBe(0);
});
