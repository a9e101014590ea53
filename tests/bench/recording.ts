import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** One answer of a server, to repeat byte by byte. */
export interface Recording {
	path: string;
	status: number;
	/** By lower-case name. */
	headers: Record<string, string>;
	/** In base64. */
	body: string;
}

/** A browser's header. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/** Node.js adds these by itself. */
const added = new Set(['date', 'connection', 'keep-alive']);

/** Sends one request, as a browser does, and keeps the body compressed. */
export async function record(origin: string, path: string): Promise<Recording> {
	const asked = request(origin + path, { headers: { 'accept-encoding': ACCEPT_ENCODING }, agent: false }).end();
	const [response] = (await once(asked, 'response')) as [IncomingMessage];
	const body = (await buffer(response)).toString('base64');
	const headers = Object.entries(response.headers).filter(([name]) => !added.has(name));
	return {
		path,
		status: response.statusCode!,
		headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
		body,
	};
}
