import http, { type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
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
const PATIENCE = 10_000;
/** In bytes: more than any file that we build has. */
const LARGEST = 64 * 1024 * 1024;
/** How many requests are on their way at once. */
const AT_ONCE = 6;

/** @param deadline ends whatever is on its way, and lets nothing more begin */
export function askerOf(origin: URL, address: Address | undefined, deadline: AbortSignal): Ask {
	const options = { keepAlive: true, maxSockets: AT_ONCE };
	const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

	return async (target, { method = 'GET', headers, body } = {}) => {
		const url = new URL(target, origin);
		const { protocol, hostname, host } = url;
		const place = address && { host: address.host, port: address.port ?? url.port, servername: hostname };
		const request = (protocol === 'https:' ? https : http).request(url, {
			...place,
			agent: agents[protocol as keyof typeof agents],
			method,
			headers: { host, ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
			signal: AbortSignal.any([deadline, AbortSignal.timeout(PATIENCE)]),
		});
		return answerTo(request, body);
	};
}

function answerTo(request: http.ClientRequest, body: string | undefined): Promise<Answer> {
	return new Promise((resolve, reject) => {
		request.on('error', (error) => reject(isTimeout(error) ? new Error('no answer in time') : error));
		request.on('response', (response) => {
			const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
			readBody(response, LARGEST)
				.then((content) => resolve({ status: response.statusCode!, headers, body: content }))
				.catch((error: unknown) => reject(response.destroy() && error));
		});
		request.end(body);
	});
}

const isTimeout = ({ name }: Error) => name === 'AbortError' || name === 'TimeoutError';
