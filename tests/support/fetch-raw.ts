import { request } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** An answer as it arrived over the network. */
export interface RawAnswer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

export interface RawRequest {
	method: string;
	headers: Record<string, string>;
	body?: string | Buffer | undefined;
	/** The certificate to trust over https, in PEM. */
	ca?: string | undefined;
	/** The address of this machine that the request comes from. */
	localAddress?: string | undefined;
}

/** Requests with Node's own client: `fetch` would decode the body, hide the encoding, and add its own headers. */
export const fetchRaw = (url: string, { method, headers, body, ca, localAddress }: RawRequest) =>
	new Promise<RawAnswer>((resolve, reject) => {
		const options = { method, headers, ca, localAddress };
		(url.startsWith('https:') ? httpsRequest : request)(url, options, (response) => {
			const answer = { status: response.statusCode!, headers: response.headers as Record<string, string> };
			buffer(response).then((body) => resolve({ ...answer, body }), reject);
		})
			.on('error', reject)
			.end(body);
	});
