import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { origin } from '../../src/facts/load.ts';
import { foreignCertificate } from '../support/certificate.ts';
import { doctorOf, otherHost, runDoctor } from '../support/doctor-command.ts';
import { startFunction } from '../support/function.ts';
import { NOBODY } from '../support/listening.ts';
import { runCommand } from '../support/operator-command.ts';
import { shared } from '../support/shared.ts';
import { startServer } from '../support/server.ts';
import { startProxy } from '../support/spoiling-proxy.ts';

const server = shared(() => startServer({ LEAD_RATE_LIMIT: 'off' }));
const examine = doctorOf(server);
const examineWithOldCertificate = doctorOf(server, 12);

test('a certificate that is about to end is told of with its days', async () => {
	const { code, complaints } = await examineWithOldCertificate();
	expect([code, complaints]).toEqual([0, [expect.objectContaining({ check: 'TLS: certificate', outcome: 'warning' })]]);
	expect(complaints[0]!.found).toMatch(/^1[12] days left, TLSv1\.\d$/);
});

test('a certificate of another name is a fault, and nothing is asked over it', async () => {
	await using proxy = await startProxy({ target: server().url, certificate: await foreignCertificate() });
	const { code, complaints, findings } = await runDoctor([origin, '--at', `127.0.0.1:${proxy.port}`]);
	expect([code, complaints.map(({ check }) => check)]).toEqual([1, ['TLS: certificate', 'host: answers']]);
	expect(findings).toContainEqual({ check: 'documents', outcome: 'skipped', found: 'the origin does not answer' });
});

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

test('another host of the same site that answers by itself is told of', async () => {
	const { code, complaints } = await examine({ redirects: false });
	expect([code, complaints]).toEqual([
		0,
		[expect.objectContaining({ check: 'host: one address', found: `${otherHost} answers 200` })],
	]);
});

test.each([
	['refuses', 'f00d'.repeat(16), 0, { outcome: 'ok', found: 'it answers 403' }],
	[
		'answers',
		undefined,
		1,
		{ outcome: 'fault', found: 'it answers 200 to anybody', advice: expect.stringContaining('FUNCTION_SECRET') },
	],
])('a function whose own address %s who calls it directly is told of', async (_, secret, code, finding) => {
	await using host = await startFunction(secret === undefined ? {} : { FUNCTION_SECRET: secret });
	const examined = await examine({ args: ['--function-url', host.url] });
	expect(examined.findings).toContainEqual({ check: 'host: function address', ...finding });
	expect(examined.code).toBe(code);
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

test.skipIf(process.getuid?.() !== 0).each([
	['http that leads to https is fine', 301, 'ok', `301 to ${origin}/contact`],
	['http that answers by itself is a fault', 200, 'fault', 'http answers 200'],
])('%s', async (_, status, outcome, found) => {
	const host = `127.7.${process.pid % 250}.${status % 250}`;
	await using http = await startProxy({
		target: server().url,
		host,
		port: 80,
		spoil: ({ path }) => ({ status, headers: { location: origin + path }, body: Buffer.from('') }),
	});
	expect(http.port).toBe(80);
	const { findings } = await examine({ listen: { host, port: 443 } });
	expect(findings.find(({ check }) => check === 'TLS: from http')).toMatchObject({ outcome, found });
});

test.each([
	[[], /missing required argument 'ORIGIN'/],
	[['www.example.com'], /is no origin/],
	[['https://www.example.com/docs'], /is no origin/],
	[['https://www.example.com', 'more'], /too many arguments/],
	[['https://www.example.com', '--at', 'a b'], /--at is a host/],
	[['https://www.example.com', '--dns', 'name'], /--dns is an IP address/],
	[['https://www.example.com', '--function-url', 'lambda'], /--function-url is a URL, for example/],
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

test('somebody at a terminal sees what is being done, and nothing of it stays', async () => {
	const env = { LEAD_STORE: 'none', NODE_OPTIONS: '--import=data:text/javascript,process.stderr.isTTY=true' };
	const { stdout, stderr } = await runCommand('doctor', [server().url], { env });
	const lines = stderr.split('\r\u001B[2K');
	expect([lines[0], lines.at(-1)]).toEqual(['', '']);
	expect(lines[1]).toMatch(/^1 of \d+: /);
	expect(stdout).not.toContain('\u001B');
});
