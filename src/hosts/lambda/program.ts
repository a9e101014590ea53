import { Readable } from 'node:stream';
import type { ClientRequest } from '../../http/request.ts';
import { requireNode } from '../../programs/node-version.ts';

requireNode();
const [{ answerFrom }, { loadFiles }, { readBody }] = await Promise.all([
	import('../../function/function.ts'),
	import('../../server/files.ts'),
	import('../../http/request.ts'),
]);

const files = loadFiles(new URL('.', import.meta.url));

/** AWS Lambda calls it with events of function URLs and of both kinds of API Gateway. */
export async function handler(event: LambdaEvent): Promise<LambdaResult> {
	const request = requestOf(event);
	const { status, headers, body } = await answerFrom(request, { hasOwnAddress: true, files });
	// Answers of operations are text. A file may be compressed.
	const isText = typeof body === 'string';
	const sent = request.method === 'HEAD' ? '' : isText ? body : body.toString('base64');
	return { statusCode: status, headers, body: sent, isBase64Encoded: !isText };
}

/** The answer to AWS Lambda. */
interface LambdaResult {
	statusCode: number;
	headers: Record<string, string>;
	body: string;
	isBase64Encoded: boolean;
}

/** The members of an event that we read: version 2.0 comes from function URLs and HTTP APIs, version 1.0 from REST APIs. */
type LambdaEvent = (EventV1 | EventV2) & { body?: string | null; isBase64Encoded?: boolean };

interface EventV2 {
	version: '2.0';
	rawPath: string;
	rawQueryString?: string;
	/** Headers of the same name are joined by commas. `Cookie` is in `cookies`. */
	headers: Record<string, string | undefined>;
	cookies?: string[];
	requestContext: { stage?: string; http: { method: string; sourceIp?: string } };
}

interface EventV1 {
	version?: '1.0';
	path: string;
	httpMethod: string;
	multiValueQueryStringParameters?: Record<string, string[]> | null;
	headers: Record<string, string | undefined> | null;
	multiValueHeaders?: Record<string, string[] | undefined> | null;
	requestContext: { stage?: string; identity?: { sourceIp?: string } };
}

/** Returns the request that an event describes. AWS writes the address of the client's connection, so no client can forge it. */
function requestOf(event: LambdaEvent): ClientRequest {
	const { stage = '' } = event.requestContext;
	const { method, path, query, headers, address } = event.version === '2.0' ? partsOfV2(event) : partsOfV1(event);
	const all = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]));
	const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
	return {
		method,
		// The stage of an API stands before the path if the API has no domain of its own.
		url: (path.startsWith(`/${stage}/api/`) ? path.slice(stage.length + 1) : path) + (query && `?${query}`),
		headers: { get: (name) => all.get(name) ?? null, keys: () => all.keys() },
		read: (limit) => readBody(Readable.from(body), limit),
		address,
		notes: {},
	};
}

const partsOfV2 = ({ rawPath, rawQueryString, cookies, headers, requestContext: { http } }: EventV2) => ({
	method: http.method,
	path: rawPath,
	query: rawQueryString ?? '',
	headers: { cookie: cookies, ...headers },
	address: http.sourceIp,
});

const partsOfV1 = ({ httpMethod, path, headers, multiValueHeaders, requestContext, ...event }: EventV1) => ({
	method: httpMethod,
	path,
	query: new URLSearchParams(
		Object.entries(event.multiValueQueryStringParameters ?? {}).flatMap(([name, values]) => values.map((value) => [name, value])),
	).toString(),
	headers: { ...headers, ...multiValueHeaders },
	address: requestContext.identity?.sourceIp,
});
