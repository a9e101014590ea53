import type { Server, Socket } from 'node:net';
import { isPrivateAddress, networksOf } from '../../http/network.ts';
import { countedWarning } from '../counted-warning.ts';
import type { Deployment } from '../deployment.ts';

/** One network may hold this fraction of the connections: one of 50. */
const SHARE = 50;
/** The connections that it may hold in any case: a browser opens six at a time. */
const LEAST = 20;

/**
 * Closes connections of a public network beyond its share of `MAX_CONNECTIONS`, so that a few cannot lock out all others. An IPv6
 * site may hold twice as many as one of its networks. Logs how many it closed, and how many were closed beyond the limit for all.
 * Does not count connections from a private address, or behind a proxy: those are the proxy's, for many clients.
 */
export function capConnections(server: Server, { settings, log }: Pick<Deployment, 'settings' | 'log'>): void {
	server.on('drop', countedWarning(log, 'Connections were closed at once: as many are open as MAX_CONNECTIONS allows.'));
	if (settings.trustProxy > 0) return;
	const most = Math.max(LEAST, Math.ceil(settings.limits.connections / SHARE));
	const open = new Map<string, number>();
	const opened = (network: string) => open.get(network) ?? 0;
	const warn = countedWarning(
		log,
		'Connections were closed at once: one network has its share of MAX_CONNECTIONS open. If it is a proxy of yours, set TRUST_PROXY.',
	);
	server.on('connection', (socket: Socket) => {
		const { remoteAddress } = socket;
		if (remoteAddress === undefined || isPrivateAddress(remoteAddress)) return;
		const networks = networksOf(remoteAddress);
		if (networks.some((network, index) => opened(network) >= most * (index + 1))) {
			socket.destroy();
			return warn();
		}
		for (const network of networks) open.set(network, opened(network) + 1);
		socket.once('close', () => {
			for (const network of networks)
				if (opened(network) === 1) open.delete(network);
				else open.set(network, opened(network) - 1);
		});
	});
}
