import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FrontAnswer, FrontRequest } from './front.ts';

/** Passes a request to a server behind the front, with these headers instead of its own. */
export const passOn = (origin: string, { method, path, body }: FrontRequest, headers: Record<string, string>) =>
	new Promise<FrontAnswer>((resolve, reject) => {
		request(origin + path, { method, headers }, async (response) =>
			resolve({
				status: response.statusCode!,
				headers: response.headers as Record<string, string>,
				body: await buffer(response),
			}),
		)
			.on('error', reject)
			.end(body);
	});
