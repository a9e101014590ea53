import type { FrontRequest } from '../../support/front.ts';

/** Makes the event that AWS makes of a request, with the documented members that a program could take it from. */
type EventOf = (request: FrontRequest, stage: string) => object;

/** Bodies of other media types than these arrive in base64. */
const text = /^(text\/|application\/(json|javascript|xml))/;

const bodyOf = ({ headers, body }: FrontRequest) => {
	const isBase64Encoded = !text.test(headers['content-type'] ?? '');
	return body.length === 0
		? { isBase64Encoded: false }
		: { body: body.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded };
};

/** Returns the client's headers and, after them, those that AWS adds. */
const forwarded = ({ headers, address }: FrontRequest): Record<string, string> => ({
	...headers,
	'x-forwarded-for': [headers['x-forwarded-for'], address].filter(Boolean).join(','),
	'x-forwarded-port': '443',
	'x-forwarded-proto': 'https',
});

/** Version 2.0 of the payload: function URLs and HTTP APIs. The path begins with the stage, except `$default`. */
export const eventV2: EventOf = (request, stage) => {
	const { cookie, ...headers } = forwarded(request);
	const { pathname, search } = new URL(request.path, 'https://localhost');
	const rawPath = (stage === '$default' ? '' : `/${stage}`) + pathname;
	const http = { method: request.method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: request.address };
	return {
		version: '2.0',
		rawPath,
		rawQueryString: search.slice(1),
		...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
		headers,
		requestContext: { domainName: request.headers['host'], stage, http },
		...bodyOf(request),
	};
};

/** Version 1.0: REST APIs, whose path has no stage. */
export const eventV1: EventOf = (request, stage) => {
	const { pathname, searchParams } = new URL(request.path, 'https://localhost');
	const headers = forwarded(request);
	const values = [...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]);
	const context = { domainName: headers['host'], stage, path: `/${stage}${pathname}`, httpMethod: request.method };
	return {
		path: pathname,
		httpMethod: request.method,
		headers,
		multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
		queryStringParameters: searchParams.size === 0 ? null : Object.fromEntries(searchParams),
		multiValueQueryStringParameters: searchParams.size === 0 ? null : Object.fromEntries(values),
		requestContext: { ...context, identity: { sourceIp: request.address } },
		body: request.body.toString() || null,
		isBase64Encoded: false,
	};
};
