import { once } from 'node:events';
import { connect } from 'node:tls';
import { type Address, hostOf, serverNameOf } from './origin.ts';

export interface Certificate {
	/** Why browsers refuse it. */
	problem: string | undefined;
	ends: Date;
	/** `TLSv1.3` */
	protocol: string;
}

/** In milliseconds. */
const PATIENCE = 10_000;

/** The certificate that an origin shows. It is read whether browsers would take it or not. */
export async function certificateOf(origin: URL, address: Address | undefined): Promise<Certificate> {
	const socket = connect({
		host: address?.host ?? hostOf(origin),
		port: address?.port ?? Number(origin.port || 443),
		servername: serverNameOf(origin),
		rejectUnauthorized: false,
	});
	try {
		await once(socket, 'secureConnect', { signal: AbortSignal.timeout(PATIENCE) });
		const { valid_to } = socket.getPeerCertificate();
		// Node.js says a code, or the sentence of a name that does not match.
		const { authorized, authorizationError } = socket;
		return {
			problem: authorized ? undefined : String((authorizationError as Error | undefined)?.message ?? authorizationError),
			ends: new Date(valid_to),
			protocol: socket.getProtocol() ?? 'no TLS',
		};
	} finally {
		socket.destroy();
	}
}
