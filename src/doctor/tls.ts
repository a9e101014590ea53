import { once } from 'node:events';
import { connect } from 'node:tls';
import { paths } from '../facts/links.ts';
import { type Check, daysUntil, type Examination, expiring, fault, type Finding, ok, remaining, skipped } from './check.ts';
import { isLocal } from './host.ts';
import { type Address, hostOf, serverNameOf } from './origin.ts';

/** In milliseconds. */
const PATIENCE = 10_000;

/** Reads the certificate that an origin shows, even if browsers would refuse it. */
async function certificateOf(origin: URL, address: Address | undefined) {
	const socket = connect({
		host: address?.host ?? hostOf(origin),
		port: address?.port ?? Number(origin.port || 443),
		servername: serverNameOf(origin),
		rejectUnauthorized: false,
	});
	try {
		await once(socket, 'secureConnect', { signal: AbortSignal.timeout(PATIENCE) });
		const { valid_to } = socket.getPeerCertificate();
		// Node.js gives a code, or a sentence if the name does not match.
		const { authorized, authorizationError } = socket;
		return {
			/** The reason why browsers refuse it. */
			problem: authorized ? undefined : String((authorizationError as Error | undefined)?.message ?? authorizationError),
			ends: new Date(valid_to),
			/** `TLSv1.3` */
			protocol: socket.getProtocol() ?? 'no TLS',
		};
	} finally {
		socket.destroy();
	}
}

/** In seconds: half a year, the least that preload lists ask for. */
const HSTS = 15_768_000;

/** Skips a check if the origin has no TLS. */
const overTls = (look: (examination: Examination) => Finding | Promise<Finding>) => (examination: Examination) =>
	examination.origin.protocol === 'https:' ? look(examination) : skipped('the origin is http');

async function certificate({ origin, address }: Examination): Promise<Finding> {
	const { problem, ends, protocol } = await certificateOf(origin, address);
	if (problem !== undefined)
		return fault(problem, `Get a certificate for ${origin.hostname}, and send those between it and the root with it.`);
	const days = daysUntil(ends);
	return expiring(days, `${remaining(days)}, ${protocol}`, 'Renew it, and see why nothing has renewed it by itself.');
}

async function encrypted({ origin }: Examination): Promise<Finding> {
	if (isLocal(origin)) return skipped('the origin is http, and has no domain');
	return fault('the origin is http', 'Serve it over https: what visitors type can be read by anybody on the way.');
}

async function toHttps({ origin, address, ask }: Examination): Promise<Finding> {
	if (origin.port !== '' || address?.port !== undefined) return skipped('only where https is on port 443');
	const { status, headers } = await ask(`http://${origin.host}${paths.contact}`);
	const to = URL.parse(headers['location'] ?? '', origin);
	if (status >= 300 && status < 400 && to?.origin === origin.origin) return ok(`${status} to ${to.href}`);
	return fault(`http answers ${status}`, `Let http redirect to ${origin.origin}: what is typed there can be read by anybody.`);
}

async function hsts({ ask }: Examination): Promise<Finding> {
	const header = (await ask(paths.home)).headers['strict-transport-security'];
	const age = Number(/max-age="?(\d+)/i.exec(header ?? '')?.[1] ?? 0);
	if (age >= HSTS) return ok(header!);
	return fault(header ?? 'no Strict-Transport-Security', 'Let the host send what the build declares, or max-age=63072000.');
}

/** Checks that browsers trust the certificate. */
export const certificateCheck: Check = {
	name: 'TLS: certificate',
	look: (examination) => (examination.origin.protocol === 'https:' ? certificate(examination) : encrypted(examination)),
};

/** Checks that clients always use TLS. */
export const tlsChecks: Check[] = [
	{ name: 'TLS: from http', look: overTls(toHttps) },
	{ name: 'TLS: HSTS', look: overTls(hsts) },
];
