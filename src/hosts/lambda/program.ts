import { Readable } from 'node:stream';
import type { ClientRequest } from '../../api/request.ts';
import { requireNode } from '../../scripts/node-version.mjs';

requireNode();
const [{ answerFrom, tryDue }, { loadFiles }, { readBody }] = await Promise.all([
	import('../../server/function.ts'),
	import('../../server/files.ts'),
	import('../../api/request.ts'),
]);

const files = loadFiles(new URL('.', import.meta.url));

/** AWS Lambda calls this with events of function URLs and of both kinds of API Gateway, and on a schedule with what the operator chose. */
export async function handler(event: LambdaEvent | { requestContext?: undefined }) {
	if (!event.requestContext) return tryDue({ hasOwnAddress: true });
	const request = requestOf(event);
	const { status, headers, body } = await answerFrom(request, { hasOwnAddress: true, files });
	// A file may be compressed. Other answers are text, because some APIs send base64 on as it is.
	const isBase64Encoded = typeof body !== 'string' && 'etag' in headers;
	const sent = isBase64Encoded ? body.toString('base64') : String(body);
	return { statusCode: status, headers, body: request.method === 'HEAD' ? '' : sent, isBase64Encoded };
}

/** The members of an event that we read: function URLs and HTTP APIs send version 2.0, REST APIs version 1.0. */
interface LambdaEvent {
	headers: Record<string, string | undefined> | null;
	body?: string | null;
	isBase64Encoded?: boolean;
	requestContext: { stage?: string; http?: { method: string; sourceIp?: string }; identity?: { sourceIp?: string } };
	/** This and the next two are in version 2.0, where `headers` joins the values of one name by commas and lacks `Cookie`. */
	rawPath?: string;
	rawQueryString?: string;
	cookies?: string[];
	/** This and the next three are in version 1.0. */
	path?: string;
	httpMethod?: string;
	multiValueHeaders?: Record<string, string[] | undefined> | null;
	multiValueQueryStringParameters?: Record<string, string[]> | null;
}

/** Returns the request that an event describes. AWS writes the address of the client's connection, so no client can forge it. */
function requestOf(event: LambdaEvent): ClientRequest {
	const { stage = '', http, identity } = event.requestContext;
	// If the API has no domain of its own, its stage comes before the path.
	const path = (event.rawPath ?? event.path ?? '/').replace(new RegExp(`^/${stage}(?=/(?:api|lead)/)`), '');
	const parameters = Object.entries(event.multiValueQueryStringParameters ?? {});
	const pairs = parameters.flatMap(([name, values]) => values.map((value) => [name, value]));
	const query = event.rawQueryString ?? String(new URLSearchParams(pairs));
	const headers = new Map<string, string>();
	for (const [name, value] of Object.entries({ cookie: event.cookies, ...event.headers, ...event.multiValueHeaders }))
		if (value !== undefined) headers.set(name.toLowerCase(), [value].flat().join(', '));
	const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
	return {
		method: http?.method ?? event.httpMethod ?? 'GET',
		url: path + (query && `?${query}`),
		headers: { get: (name) => headers.get(name) ?? null, keys: () => headers.keys() },
		read: (limit) => readBody(Readable.from(body), limit),
		address: (http ?? identity)?.sourceIp,
		notes: {},
	};
}
