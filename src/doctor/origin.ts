import { isIP } from 'node:net';
import http, { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import pLimit from 'p-limit';
import { readBody } from '../http/body.ts';

/** An answer as it came over the wire: neither decoded nor followed. */
export interface Answer {
	status: number;
	/** By lower-case name. */
	headers: Record<string, string | undefined>;
	body: Buffer;
}

export interface Question {
	method?: string;
	headers?: OutgoingHttpHeaders;
	body?: string;
}

/** Asks for a path of the origin, or for a whole URL. Rejects where no answer comes in time. */
export type Ask = (target: string, question?: Question) => Promise<Answer>;

/** Where the connections go in the place of where the DNS leads. */
export interface Address {
	host: string;
	/** Undefined: that of the URL. */
	port: number | undefined;
}

/** In milliseconds: how long one answer may take. */
export const PATIENCE = 15_000;
/** In bytes: more than any file that we build has. */
const LARGEST = 64 * 1024 * 1024;
/** How many requests are on their way at once. */
const AT_ONCE = 6;

/** An address as sockets take it: in a URL brackets stand around one of IPv6. */
export const hostOf = ({ hostname }: URL) => hostname.replaceAll(/[[\]]/g, '');

/** What TLS is told, which knows names only (RFC 6066 section 3). */
export const serverNameOf = (url: URL) => (isIP(hostOf(url)) === 0 ? url.hostname : '');

/** @param deadline ends whatever is on its way, and lets nothing more begin */
export function askerOf(origin: URL, address: Address | undefined, deadline: AbortSignal): Ask {
	const inTurn = pLimit(AT_ONCE);
	const agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) };

	function request(url: URL, { method = 'GET', headers, body = '' }: Question) {
		const { protocol, host } = url;
		const place = address && {
			hostname: address.host,
			port: address.port ?? url.port,
			servername: serverNameOf(url),
		};
		const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
		const signal = AbortSignal.any([deadline, AbortSignal.timeout(PATIENCE)]);
		const agent = agents[protocol as keyof typeof agents];
		return (protocol === 'https:' ? https : http)
			.request(url, { ...place, agent, method, headers: { host, ...headers, ...length }, signal })
			.end(body);
	}

	return (target, question = {}) => inTurn(() => answerTo(request(new URL(target, origin), question)));
}

async function answerTo(request: ClientRequest): Promise<Answer> {
	try {
		const response = await responseTo(request);
		const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
		return { status: response.statusCode!, headers: Object.fromEntries(headers), body: await readBody(response, LARGEST) };
	} catch (error) {
		request.destroy();
		throw error;
	}
}

/** What goes wrong with the request once it is answered is no matter: a server may refuse it before it has read all of it. */
const responseTo = (request: ClientRequest) =>
	new Promise<IncomingMessage>((resolve, reject) => {
		request.on('error', reject);
		request.on('response', resolve);
	});
