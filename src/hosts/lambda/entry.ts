import type { WebRequest } from '../../http/request.ts';
import { answerFrom } from '../../function/answer.ts';
import { loadFiles } from '../../server/files/files.ts';

// The build puts this module into `chunks`, and the files beside that folder.
const files = loadFiles(new URL('..', import.meta.url));

/** AWS Lambda calls it with events of function URLs and of both kinds of API Gateway. */
export async function handler(event: LambdaEvent): Promise<LambdaResult> {
	const request = requestOf(event);
	return resultOf(await answerFrom(request, { caller: callerOf(event), hasOwnAddress: true, files: files.answer }), request);
}

/** The members of an event that we read: version 2.0 comes from function URLs and HTTP APIs, version 1.0 from REST APIs. */
type LambdaEvent = EventV1 | EventV2;

interface EventV2 {
	version: '2.0';
	rawPath: string;
	rawQueryString?: string;
	/** Headers of the same name are joined by commas. `Cookie` is in `cookies`. */
	headers: Record<string, string | undefined>;
	cookies?: string[];
	body?: string | null;
	isBase64Encoded?: boolean;
	requestContext: { stage?: string; http: { method: string; sourceIp?: string } };
}

interface EventV1 {
	version?: '1.0';
	path: string;
	httpMethod: string;
	multiValueQueryStringParameters?: Record<string, string[]> | null;
	headers: Record<string, string | undefined> | null;
	multiValueHeaders?: Record<string, string[] | undefined> | null;
	body?: string | null;
	isBase64Encoded?: boolean;
	requestContext: { stage?: string; identity?: { sourceIp?: string } };
}

const isV2 = (event: LambdaEvent): event is EventV2 => event.version === '2.0';

/** Returns the request that an event describes. */
function requestOf(event: LambdaEvent): WebRequest {
	const method = isV2(event) ? event.requestContext.http.method : event.httpMethod;
	const query = queryOf(event);
	return { method, url: pathOf(event) + (query && `?${query}`), headers: headersOf(event), body: bodyOf(event) };
}

/** Returns the address of the client's connection. AWS writes it, so no client can forge it. */
const callerOf = (event: LambdaEvent): string | undefined =>
	isV2(event) ? event.requestContext.http.sourceIp : event.requestContext.identity?.sourceIp;

/** Removes the stage of an API, which stands before the path if the API has no domain of its own. */
function pathOf(event: LambdaEvent): string {
	const path = isV2(event) ? event.rawPath : event.path;
	const { stage = '' } = event.requestContext;
	return path.startsWith(`/${stage}/api/`) ? path.slice(stage.length + 1) : path;
}

function queryOf(event: LambdaEvent): string {
	if (isV2(event)) return event.rawQueryString ?? '';
	const parameters = Object.entries(event.multiValueQueryStringParameters ?? {});
	return new URLSearchParams(parameters.flatMap(([name, values]) => values.map((value) => [name, value]))).toString();
}

/** AWS passes text. In a web header each character is a byte. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

function headersOf(event: LambdaEvent): Headers {
	const all = isV2(event) ? { cookie: event.cookies, ...event.headers } : { ...event.headers, ...event.multiValueHeaders };
	const headers = new Headers();
	for (const [name, value] of Object.entries(all)) for (const one of [value ?? []].flat()) headers.append(name, bytesOf(one));
	return headers;
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent): WebRequest['body'] {
	return new Response(isBase64Encoded ? Buffer.from(body ?? '', 'base64') : body).body;
}

/** The answer to AWS Lambda, without cookies: none are sent. */
interface LambdaResult {
	statusCode: number;
	/** By lower-case name. Headers of the same name are joined by commas (RFC 9110 section 5.3). */
	headers: Record<string, string>;
	body: string;
	isBase64Encoded: boolean;
}

/** Answers of operations are text. A file may be compressed. */
async function resultOf(response: Response, { method, url }: WebRequest): Promise<LambdaResult> {
	const isBase64Encoded = !url.startsWith('/api/');
	const body = method === 'HEAD' ? '' : Buffer.from(await response.arrayBuffer()).toString(isBase64Encoded ? 'base64' : 'utf8');
	return { statusCode: response.status, headers: Object.fromEntries(response.headers), body, isBase64Encoded };
}
