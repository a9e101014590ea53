import { Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Duplex } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { isPrivateAddress } from '../../src/http/network.ts';
import { capConnections } from '../../src/server/http/connection.ts';
import type { Backend } from '../../src/server/backend.ts';
import { openConnection } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';

const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
const own = addresses.find(({ family, address }) => family === 'IPv4' && !isPrivateAddress(address))?.address;
if (own === undefined) console.warn('Connections from an address of the internet skipped: this machine has none.');

test.skipIf(own === undefined)('one address cannot keep all others out, and the log says so, without it', async () => {
	await using server = await startServer({ HOST: '0.0.0.0', MAX_CONNECTIONS: '100' });
	const { port } = new URL(server.url);
	const sockets = await Promise.all(Array.from({ length: 60 }, () => openConnection(`http://${own}:${port}`)));
	let closed = 0;
	for (const socket of sockets) socket.once('end', () => (closed += 1)).resume();
	await expect.poll(() => closed).toBe(40);
	expect((await fetch(`http://127.0.0.1:${port}/api/status`)).status).toBe(200);
	const warnings = server.process.log.filter(({ msg }) => String(msg).startsWith('Connections were closed at once: one network'));
	expect(warnings).toEqual([expect.objectContaining({ level: 'warn', count: 1 })]);
	expect(server.process.output).not.toContain(own);
	for (const socket of sockets) socket.destroy();
	const answers = () =>
		fetch(`http://${own}:${port}/api/status`).then(
			({ status }) => status,
			() => undefined,
		);
	await expect.poll(answers).toBe(200);
});

describe('of 100 connections each, 2000 in all, there stay open', () => {
	const site = (network: number) => `2001:db8:1:${network}::1`;
	test.each([
		['of one IPv4 address', 0, ['198.51.100.1'], 40],
		['the same, written as IPv6', 0, ['::ffff:198.51.100.1'], 40],
		['of two', 0, ['198.51.100.1', '198.51.100.2'], 80],
		['of one IPv6 network', 0, ['2001:db8:1:2::1', '2001:db8:1:2::2'], 40],
		['of one IPv6 site', 0, [1, 2, 3, 4].map(site), 80],
		['of a private address, which may be a proxy', 0, ['10.0.0.1', '127.0.0.1', '::1', 'fd00::1'], 400],
		['of a neighbour, whose address names the interface', 0, ['fe80::1%br-lan.2'], 40],
		['of a proxy', 1, ['198.51.100.1'], 100],
	])('%s', (_case, trustProxy, clients, expected) => {
		const server = new Server();
		const settings = { trustProxy, limits: { connections: 2000 } } as Backend['settings'];
		capConnections(server, { settings, log: pino({ level: 'silent' }) });
		const sockets = clients.flatMap((remoteAddress) =>
			Array.from({ length: 100 }, () => Object.assign(new Duplex({ read() {}, write() {} }), { remoteAddress })),
		);
		for (const socket of sockets) server.emit('connection', socket);
		expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(expected);
	});
});
