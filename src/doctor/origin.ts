import { isIP } from 'node:net';
import http, { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import pLimit from 'p-limit';
import { readBody } from '../http/body.ts';

/** An answer as it came over the wire: not decoded, and no redirect followed. */
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

/** Requests a path of the origin, or a whole URL. Rejects if no answer comes in time. */
export type Ask = (target: string, question?: Question) => Promise<Answer>;

/** The target of connections, in place of the one in the DNS. */
export interface Address {
	host: string;
	/** Undefined: the URL's port. */
	port: number | undefined;
}

/** In milliseconds: the time limit of one answer. */
export const PATIENCE = 15_000;
/** In bytes: more than any file that we build has. */
const LARGEST = 64 * 1024 * 1024;
/** The number of concurrent requests. */
const AT_ONCE = 6;

/** Returns the host as sockets take it: a URL puts IPv6 addresses in brackets. */
export const hostOf = ({ hostname }: URL) => hostname.replaceAll(/[[\]]/g, '');

/** Returns the server name for TLS, which takes names only, no addresses (RFC 6066 section 3). */
export const serverNameOf = (url: URL) => (isIP(hostOf(url)) === 0 ? url.hostname : '');

/** @param deadline aborts all requests, and prevents new ones */
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

/** Ignores errors of the request after the answer: a server may refuse a request before it has read all of it. */
const responseTo = (request: ClientRequest) =>
	new Promise<IncomingMessage>((resolve, reject) => {
		request.on('error', reject);
		request.on('response', resolve);
		// Without a listener for another protocol, there would be neither an answer nor an error.
		request.on('upgrade', ({ statusCode }, socket) => {
			socket.destroy();
			reject(new Error(`HTTP ${statusCode}`));
		});
	});
