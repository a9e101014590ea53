import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../src/server/files/manifest.ts';
import { leadOf } from '../support/post-lead.ts';
import { openConnection, refusing, statusesOf } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const lead = (message = randomUUID()) => JSON.stringify(leadOf({ clinic: 'Sol', message }));
const post = (body = lead(), type = 'application/json') =>
	`POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const get = (path = '/api/status', headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
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

describe('after SIGTERM the connection is said to end by the answer to', () => {
	test.each([
		['a page', get('/contact'), 200],
		['a page in an encoding', get('/contact', 'Accept-Encoding: br\r\n'), 200],
		['a page that the client has', get('/contact', 'If-None-Match: *\r\n'), 304],
		['no page', get('/nowhere'), 404],
		['a slash too many', get('/contact/'), 308],
		['HEAD', get('/contact').replace('GET', 'HEAD'), 200],
		['the health check', get(), 200],
		['a wrong method', get().replace('GET', 'DELETE'), 405],
		['a preflight', get('/api/contact').replace('GET', 'OPTIONS'), 204],
		['a wrong lead', post('{}'), 422],
		['a lead', post(), 200],
		['a wrong form', post('name=Ana', 'application/x-www-form-urlencoded'), 422],
		['a request without a host', 'GET /contact HTTP/1.1\r\nX-A: b\r\n\r\n', 400],
	])('%s', async (_case, request, status) => {
		await using stopping = await startHolding();
		const kept = await askedBefore(stopping.url);
		const fresh = await openConnection(stopping.url);
		for (const socket of [kept, fresh]) socket.write(request.slice(0, 3));
		await stopping.signal();
		for (const socket of [kept, fresh]) socket.write(request.slice(3));
		for (const socket of [kept, fresh]) {
			const answer = await text(socket);
			expect([statusesOf(answer), connectionsIn(answer)]).toEqual([[status], ['close']]);
		}
	});

	test('a lead that is being delivered', async () => {
		await using stopping = await startHolding();
		await stopping.signal();
		stopping.release();
		const answer = await text(stopping.socket);
		expect([statusesOf(answer), connectionsIn(answer)]).toEqual([[200], ['close']]);
		expect(await stopping.process.exit()).toBe(0);
	});

	test('the last of several requests that did not wait for each other, and to no other', async () => {
		await using stopping = await startHolding(2);
		stopping.socket.write(get() + post());
		await stopping.receiver.received(2);
		await stopping.signal();
		stopping.release();
		const answers = await text(stopping.socket);
		expect(statusesOf(answers)).toEqual([200, 200, 200]);
		expect(connectionsIn(answers)).toEqual(['keep-alive', 'keep-alive', 'close']);
	});
});

describe('on SIGTERM, while a lead is being delivered,', () => {
	test.each([
		['has had its answer', askedBefore],
		['nothing has come over', openConnection],
	])('a connection is closed that %s', async (_case, open) => {
		await using stopping = await startHolding();
		const idle = await open(stopping.url);
		await stopping.signal();
		expect(await text(idle)).toBe('');
		await expectLead(stopping);
	});

	test('a connection is closed whose last answer began before, and so could not say it', async () => {
		await using stopping = await startHolding(2);
		const started = await openConnection(stopping.url);
		started.write(post() + get());
		await stopping.receiver.received(2);
		await stopping.signal();
		stopping.releases[1]!();
		expect(statusesOf(await text(started))).toEqual([200, 200]);
		await expectLead(stopping);
	});

	test('a client that reads slowly gets the whole of its answers', async () => {
		await using stopping = await startHolding();
		const idle = await askedBefore(stopping.url);
		const { path, size } = largestFile();
		const slow = await openConnection(stopping.url);
		slow.pause().write(get(path).repeat(20));
		await once(slow, 'readable');
		await stopping.signal();
		await text(idle);
		expect((await buffer(slow)).length).toBeGreaterThan(20 * size);
		await expectLead(stopping);
	});
});

test('what has arrived together with SIGTERM is answered', async () => {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	const sockets = [await askedBefore(server.url), await askedBefore(server.url)];
	server.process.signal('SIGSTOP');
	sockets.push(await openConnection(server.url), await openConnection(server.url));
	for (const socket of sockets) socket.write(post());
	server.process.signal('SIGTERM');
	server.process.signal('SIGCONT');
	for (const socket of sockets) expect(statusesOf(await text(socket))).toEqual([200]);
	expect(await server.process.exit()).toBe(0);
});

/** A server that delivers within the request, and is still delivering so many leads, the first of them on `socket`. */
async function startHolding(count = 1) {
	const holds = Array.from({ length: count }, () => Promise.withResolvers<void>());
	const receiver = await startWebhookReceiver((_, before) => ({ until: holds[before]?.promise }));
	const { url, process, ...server } = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	const socket = await openConnection(url);
	socket.write(post());
	await receiver.received(1);
	const signal = async () => {
		process.signal('SIGTERM');
		await refusing(url);
	};
	const dispose = async () => {
		await server[Symbol.asyncDispose]();
		await receiver.close();
	};
	const releases = holds.map(({ resolve }) => resolve);
	const release = () => releases.forEach((resolve) => resolve());
	return { url, process, receiver, socket, releases, release, signal, [Symbol.asyncDispose]: dispose };
}

/** The lead is answered after all, and the server ends well. */
async function expectLead({ release, socket, process }: Awaited<ReturnType<typeof startHolding>>): Promise<void> {
	release();
	expect(statusesOf(await text(socket))).toEqual([200]);
	expect(await process.exit()).toBe(0);
}

/** A connection that has had an answer already. */
async function askedBefore(url: string): Promise<Socket> {
	const socket = await openConnection(url);
	socket.write(get());
	await nextAnswer(socket);
	return socket;
}

/** Sends lead after lead until an answer says that it is the last. */
async function sendLeads(socket: Socket): Promise<{ message: string; answer: string }[]> {
	const sent: { message: string; answer: string }[] = [];
	for (;;) {
		const message = randomUUID();
		socket.write(post(lead(message)));
		const answer = await nextAnswer(socket);
		sent.push({ message, answer });
		if (!connectionsIn(answer).includes('keep-alive')) return sent;
	}
}

/** The next answer, which is JSON; less of it when the connection ends, or is reset because the request came too late. */
async function nextAnswer(socket: Socket): Promise<string> {
	let answer = '';
	try {
		for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
			answer += String(chunk);
			if (answer.endsWith('}')) break;
		}
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
	}
	return answer;
}

function largestFile(): { path: string; size: number } {
	const manifest = JSON.parse(readFileSync('var/test/dist/server/files.json', 'utf8')) as Manifest;
	const sizes = Object.entries(manifest).map(([path, { bodies }]) => ({ path, size: bodies.identity![1] - bodies.identity![0] }));
	return sizes.toSorted((one, other) => other.size - one.size)[0]!;
}
