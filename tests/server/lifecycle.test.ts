import { existsSync, readdirSync } from 'node:fs';
import { cp, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { onFreePorts } from '../support/listening.ts';
import { postLead } from '../support/post-lead.ts';
import { TestProcess } from '../support/process.ts';
import { startBuilt, startServer, type TestServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the build runs with Node alone after being copied elsewhere', async () => {
	await using folder = await temporaryFolder();
	await cp('var/test/dist', folder.path, { recursive: true });
	await using server = new TestProcess(['server/entry.mjs'], { env: { PORT: '0' }, cwd: folder.path });
	const [, url] = await server.printed(/"url":"(.*?)"/);
	expect((await fetch(`${url}/api/status`)).status).toBe(200);
	expect((await fetch(`${url}/api/contact`, { method: 'POST', body: new URLSearchParams() })).status).toBe(422);
	// The build is of today.
	expect(server.output).not.toContain('security.txt');
	for (const name of ['doctor', 'keys', 'leads']) {
		const calls = { '': `node server/${name}.mjs`, '/var/lib/website': `sudo ${service.identifier} ${name}` };
		for (const [STATE_DIRECTORY, called] of Object.entries(calls)) {
			// Help needs no settings.
			const env = { LEAD_STORE: 'wrong', STATE_DIRECTORY };
			await using command = new TestProcess([`server/${name}.mjs`, '--help'], { env, cwd: folder.path });
			expect([await command.exit(), command.output]).toEqual([0, expect.stringContaining(`Usage: ${called} `)]);
		}
	}
});

test('a page that could not be loaded, as while a build is replaced, is loaded for the next visitor', async () => {
	await using folder = await temporaryFolder();
	await cp('var/test/dist', folder.path, { recursive: true });
	await using server = await startBuilt(folder.path);
	const send = async () => (await fetch(`${server.url}/api/contact`, { method: 'POST', body: new URLSearchParams() })).status;
	const [chunks, away] = ['server/chunks', 'away'].map((name) => path.join(folder.path, name)) as [string, string];
	await rename(chunks, away);
	expect(await send()).toBe(500);
	await rename(away, chunks);
	expect(await send()).toBe(422);
});

test('before a build npm run says what to run first', async () => {
	await using folder = await temporaryFolder();
	for (const part of ['package.json', 'src']) await symlink(path.resolve(part), path.join(folder.path, part));
	await using command = new TestProcess(['run', 'leads', '--', 'list'], { cwd: folder.path, program: 'npm' });
	expect(await command.exit()).toBe(1);
	expect(command.output).toContain('yet. Run first: npm run build');
});

const everywhere = ['::', '0:0:0:0:0:0:0:0', '0.0.0.0'].map((host) => [host, 'localhost']);
const addresses = [['127.0.0.1', '127.0.0.1'], ['::1', '[::1]'], ...everywhere];
test.each(addresses)('listening on %s, it names an address that can be opened: %s', async (HOST, shown) => {
	await using server = await startServer({ HOST });
	expect(new URL(server.url).hostname).toBe(shown);
	expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
});

test('names are looked up beside each other: a webhook’s that nobody answers holds up no other', async ({ skip }) => {
	if (!existsSync('/proc/self/task')) return skip('The test of threads was skipped: it needs the /proc of Linux.');
	await using server = await startServer({ HOST: 'localhost' });
	expect(readdirSync(`/proc/${server.process.pid}/task`).length).toBeGreaterThan(64);
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
	expect([server.output, existsSync(mailbox)]).toEqual([expect.stringContaining(mailbox), true]);
	expect((await postLead(url!)).status).toBe(200);
});

test('a second server on one file warns at its start, and not once the first was killed; so does a sender that is a recipient', async () => {
	await using folder = await temporaryFolder();
	const mail = { SMTP_URL: 'smtp://localhost:1', LEAD_EMAIL_TO: 'sales@example.com' };
	const env = { LEAD_STORE: `sqlite:${folder.path}/leads.db`, ...mail };
	const warnings = ({ process: { log } }: TestServer) => log.filter(({ level }) => level === 'warn').length;
	await using first = await startServer({ ...env, LEAD_EMAIL_FROM: 'website@example.com' });
	await using second = await startServer({ ...env, LEAD_EMAIL_FROM: 'website@example.com' });
	expect([warnings(first), warnings(second)]).toEqual([0, 1]);
	for (const killed of [first, second]) await killed[Symbol.asyncDispose]();
	await using third = await startServer({ ...env, LEAD_EMAIL_FROM: 'sales@example.com' });
	expect([warnings(third), third.process.output]).toEqual([1, expect.stringContaining('"LEAD_EMAIL_FROM is')]);
});

/** A pipe that is full, and open for reading, though nothing reads it. */
const unread = 'mkfifo "$0" 2>&-; exec 3<>"$0"; dd if=/dev/zero of="$0" bs=65536 count=1 oflag=nonblock 2>&-; exec';

// It needs the /dev/full of Linux.
test.skipIf(!existsSync('/dev/full')).each([
	['as on a full disk,', 'exec', '/dev/full'],
	['or that nobody reads,', unread, '"$0"'],
])('a log that cannot be written, %s stops neither the answers nor an orderly end', async (_, prepare, output) => {
	await using folder = await temporaryFolder();
	const start = `${prepare} '${process.execPath}' var/test/dist/server/entry.mjs > ${output}`;
	const { started, port } = await onFreePorts((port) => {
		const server = new TestProcess(['-c', start, `${folder.path}/log`], {
			program: 'sh',
			env: { PORT: String(port), LEAD_STORE: 'none' },
		});
		return server.answers(`http://localhost:${port}/api/status`);
	});
	await using server = started;
	for (const _ of ['is logged', 'is too']) expect((await postLead(`http://localhost:${port}`)).status).toBe(503);
	expect(await server.stop()).toBe(0);
});

test('a server that runs on tells its operator, day by day, that the security.txt of its build is about to expire', async () => {
	await using server = await startServer({}, ['--import', './tests/support/short-days.ts']);
	const warnings = () => server.process.log.filter(({ level, msg }) => level === 'warn' && /security\.txt/.test(String(msg)));
	await expect.poll(() => warnings().length).toBeGreaterThan(1);
});
