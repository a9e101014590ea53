import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { onFreePorts } from '../support/listening.ts';
import { postLead } from '../support/post-lead.ts';
import { TestProcess } from '../support/process.ts';
import { refusing } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('the build runs with Node alone after being copied elsewhere', async () => {
	await using folder = await temporaryFolder();
	await cp('var/test/dist', folder.path, { recursive: true });
	await using server = new TestProcess(['server/entry.mjs'], { env: { PORT: '0' }, cwd: folder.path });
	const [, url] = await server.printed(/"url":"(.*?)"/);
	expect((await fetch(`${url}/api/status`)).status).toBe(200);
	expect((await fetch(`${url}/api/contact`, { method: 'POST', body: new URLSearchParams() })).status).toBe(422);
});

test('a signal that comes twice, as when npm passes on what a terminal has sent to all, is one', async () => {
	const held = Promise.withResolvers<void>();
	await using receiver = await startWebhookReceiver({ until: held.promise });
	await using server = await startServer({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	const answer = postLead(server.url);
	await receiver.received(1);
	// Two of the same might come as one.
	server.process.signal('SIGINT');
	server.process.signal('SIGTERM');
	await refusing(server.url);
	held.resolve();
	expect((await answer).status).toBe(200);
	expect(await server.process.exit()).toBe(0);
});

test.each([
	['127.0.0.1', '127.0.0.1'],
	['::1', '[::1]'],
	['::', 'localhost'],
	['0:0:0:0:0:0:0:0', 'localhost'],
	['0.0.0.0', 'localhost'],
])('listening on %s, it names an address that can be opened: %s', async (HOST, shown) => {
	await using server = await startServer({ HOST });
	expect(new URL(server.url).hostname).toBe(shown);
	expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
});

test('a wrong setting stops the start and says what to write instead', async () => {
	await using server = new TestProcess(['var/test/dist/server/entry.mjs'], {
		env: { PORT: '70000', SMTP_URL: 'smtp://localhost' },
	});
	expect(await server.exit()).toBe(1);
	expect(server.output).toContain('PORT must be a port, 65535 at most, for example 4321.');
	expect(server.output).not.toContain('    at ');
});

test('a port that is taken stops the start and says what to do', async () => {
	await using first = await startServer();
	await using second = new TestProcess(['var/test/dist/server/entry.mjs'], { env: { PORT: new URL(first.url).port } });
	expect(await second.exit()).toBe(1);
	expect(second.output).toContain('Set HOST and PORT to an address that is free.');
});

test('tried out on one machine, it says where leads will lie and takes them', async () => {
	await using folder = await temporaryFolder();
	const entry = path.resolve('var/test/dist/server/entry.mjs');
	await using server = new TestProcess([entry, '--local'], { env: { PORT: '0' }, cwd: folder.path });
	const [, url] = await server.printed(/is at (http:\S+)/);
	await expect.poll(() => server.output).toMatch(/curl .*\n.*consent/);
	const mailbox = path.join(folder.path, 'var/mailbox/new');
	expect(server.output).toContain(mailbox);
	expect(existsSync(mailbox)).toBe(true);
	expect((await postLead(url!)).status).toBe(200);
});

test('a log that cannot be written, as on a full disk, stops neither the answers nor an orderly end', async ({ skip }) => {
	if (!existsSync('/dev/full')) return skip('The test of a full log was skipped: it needs the /dev/full of Linux.');
	const start = `exec '${process.execPath}' var/test/dist/server/entry.mjs > /dev/full`;
	const { server, url } = await onFreePorts(async (port) => {
		const server = new TestProcess(['-c', start], { program: 'sh', env: { PORT: String(port), LEAD_STORE: 'none' } });
		const url = `http://localhost:${port}`;
		await server.answers(`${url}/api/status`);
		return { server, url };
	});
	await using _ = server;
	for (const _ of ['is logged', 'is too']) expect((await postLead(url)).status).toBe(503);
	server.signal('SIGTERM');
	expect(await server.exit()).toBe(0);
});
