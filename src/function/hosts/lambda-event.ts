/** What AWS Lambda is called with: version 2.0 by function URLs and HTTP APIs, version 1.0 by REST APIs. Only what is read here. */
export type LambdaEvent = EventV1 | EventV2;

interface EventV2 {
	version: '2.0';
	rawPath: string;
	rawQueryString?: string;
	/** Several of a name are one, with commas between them. */
	headers: Record<string, string | undefined>;
	body?: string | null;
	isBase64Encoded?: boolean;
	requestContext: { stage?: string; domainName?: string; http: { method: string; sourceIp?: string } };
}

interface EventV1 {
	version?: '1.0';
	path: string;
	httpMethod: string;
	/** Of several values of a name the last. */
	queryStringParameters?: Record<string, string> | null;
	headers: Record<string, string | undefined> | null;
	multiValueHeaders?: Record<string, string[] | undefined> | null;
	body?: string | null;
	isBase64Encoded?: boolean;
	requestContext: { stage?: string; domainName?: string; identity?: { sourceIp?: string } };
}

const isV2 = (event: LambdaEvent): event is EventV2 => event.version === '2.0';

/** The request that an event tells of. */
export function requestOf(event: LambdaEvent): Request {
	const method = isV2(event) ? event.requestContext.http.method : event.httpMethod;
	const url = `https://${event.requestContext.domainName ?? 'lambda.invalid'}${pathOf(event)}?${queryOf(event)}`;
	return new Request(url, { method, headers: headersOf(event), body: bodyOf(event, method) });
}

/** Where the client's connection comes from: AWS says it, whatever the client has sent. */
export const callerOf = (event: LambdaEvent): string | undefined =>
	isV2(event) ? event.requestContext.http.sourceIp : event.requestContext.identity?.sourceIp;

/** Without the stage of an API, which stands in front of the path where the API has no domain of its own. */
function pathOf(event: LambdaEvent): string {
	const path = isV2(event) ? event.rawPath : event.path;
	const { stage = '' } = event.requestContext;
	return path.startsWith(`/${stage}/api/`) ? path.slice(stage.length + 1) : path;
}

const queryOf = (event: LambdaEvent): string =>
	isV2(event) ? (event.rawQueryString ?? '') : new URLSearchParams(event.queryStringParameters ?? {}).toString();

/** AWS passes text; in a header of the web's kind a character is a byte. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

function headersOf(event: LambdaEvent): Headers {
	const several = isV2(event) ? {} : (event.multiValueHeaders ?? {});
	const headers = new Headers();
	for (const [name, value] of Object.entries({ ...event.headers, ...several }))
		for (const one of [value ?? []].flat()) headers.append(name, bytesOf(one));
	return headers;
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent, method: string): BodyInit | null {
	if (!body || method === 'GET' || method === 'HEAD') return null;
	return isBase64Encoded ? Buffer.from(body, 'base64') : body;
}
