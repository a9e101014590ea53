import { request } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** An answer as it arrived over the network. */
export interface RawAnswer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

interface RawRequest {
	method: string;
	headers: Record<string, string>;
	body?: string | undefined;
	/** The certificate to trust over https, in PEM. */
	ca?: string | undefined;
	/** The address of this machine that the request comes from. */
	localAddress?: string | undefined;
}

/** Requests with Node's own client: `fetch` would decode the body, hide the encoding, and add its own headers. */
export const fetchRaw = (url: string, { body, ...options }: RawRequest) =>
	new Promise<RawAnswer>((resolve, reject) => {
		(url.startsWith('https:') ? httpsRequest : request)(url, options, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('end', () =>
				resolve({
					status: response.statusCode!,
					headers: response.headers as Record<string, string>,
					body: Buffer.concat(chunks),
				}),
			);
		})
			.on('error', reject)
			.end(body);
	});
