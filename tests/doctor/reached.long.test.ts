import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { origin } from '../../src/facts/load.ts';
import { runDoctor } from '../support/doctor-command.ts';
import { NOBODY } from '../support/listening.ts';
import { runCommand } from '../support/operator-command.ts';
import { shared } from '../support/shared.ts';
import { startServer } from '../support/server.ts';

const server = shared(() => startServer({ LEAD_RATE_LIMIT: 'off' }));

test('where nobody listens that is all there is to say', async () => {
	const { code, complaints } = await runDoctor([`http://${NOBODY}`]);
	expect([code, complaints]).toEqual([
		1,
		[expect.objectContaining({ check: 'host: answers', found: expect.stringContaining('ECONNREFUSED') })],
	]);
});

test('an answer that leaves HTTP is why the origin does not answer', async () => {
	const answer = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: upgrade\r\n\r\n';
	const host = createServer((socket) => void socket.once('data', () => socket.end(answer))).listen(0, '127.0.0.1');
	onTestFinished(() => void host.close());
	await once(host, 'listening');
	const { code, complaints } = await runDoctor([`http://127.0.0.1:${(host.address() as AddressInfo).port}`]);
	expect([code, complaints]).toEqual([1, [expect.objectContaining({ check: 'host: answers', found: 'HTTP 101' })]]);
});

test('a build for another origin is a fault that names both', async () => {
	const { complaints } = await runDoctor([server().url]);
	expect(complaints).toEqual([
		expect.objectContaining({
			check: 'addresses: origin',
			found: `the build is for ${origin}`,
			advice: expect.stringContaining(`SITE_URL=${server().url}`),
		}),
	]);
});

test.each([
	[[], /missing required argument 'ORIGIN'/],
	[['www.example.com'], /is no origin/],
	[['https://www.example.com/docs'], /is no origin/],
	[['https://www.example.com', 'more'], /too many arguments/],
	[['https://www.example.com', '--parked'], /unknown option/],
])('%j is a wrong call, and says what is right', async (args, message) => {
	const { code, stdout, stderr } = await runCommand('doctor', args);
	expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
});

test('people get a line for each check, advice under it, and a sum', async () => {
	const { code, stdout } = await runCommand('doctor', [server().url], { env: { LEAD_STORE: 'none' } });
	expect(code).toBe(1);
	expect(stdout).toMatch(/^ok +documents: bytes +\d+ the same as built$/m);
	expect(stdout).toMatch(/^FAULT +addresses: origin +the build is for .*\n +Build again with SITE_URL=/m);
	expect(stdout).toMatch(/: \d+ ok, 0 to look at, 1 at fault, \d+ not looked at\.\n$/);
});
