import { existsSync, readFileSync } from 'node:fs';
import type { FrontAnswer, FrontRequest } from './front.ts';
import { typeOf } from './media-type.ts';

type Values = Record<string, { value: string }>;

/** The input and result of a CloudFront function: a request, or an answer instead. */
interface Message {
	uri: string;
	method: string;
	headers: Values;
	querystring: Values;
	statusCode?: number;
}

interface Policy {
	CustomHeadersConfig: { Items: { Header: string; Value: string }[] };
}

/** Imitates CloudFront in front of files in S3, with the build's two functions and its policy. */
export function cloudFront(folder: string): (request: FrontRequest) => FrontAnswer {
	const [onRequest, onResponse] = [programOf(`${folder}/cloudfront/request.js`), programOf(`${folder}/cloudfront/response.js`)];
	const { CustomHeadersConfig } = JSON.parse(readFileSync(`${folder}/cloudfront/errors.json`, 'utf8')) as Policy;
	const policy = Object.fromEntries(CustomHeadersConfig.Items.map(({ Header, Value }) => [Header, Value]));
	const fileAt = (uri: string) => readFileSync(`${folder}/files${uri}`);

	return (asked) => {
		const request = onRequest({ request: messageOf(asked) });
		if (request.statusCode !== undefined)
			return { status: request.statusCode, headers: { ...policy, ...plain(request.headers) }, body: '' };
		const { uri } = request;
		if (!existsSync(`${folder}/files${uri}`))
			return { status: 404, headers: { 'content-type': 'text/html; charset=utf-8', ...policy }, body: fileAt('/404.html') };
		const stored = { 'content-type': { value: typeOf(uri) } };
		const { headers } = onResponse({ request, response: { statusCode: 200, headers: stored } });
		return { status: 200, headers: { ...policy, ...plain(headers) }, body: fileAt(uri) };
	};
}

/** Loads a program that is no module. */
const programOf = (file: string) =>
	new Function('event', `${readFileSync(file, 'utf8')}; return handler(event);`) as (event: object) => Message;

function messageOf({ method, path, headers }: FrontRequest): Message {
	const { pathname, searchParams } = new URL(path, 'https://localhost');
	return { uri: pathname, method, headers: valued(Object.entries(headers)), querystring: valued([...searchParams]) };
}

const valued = (entries: [string, string][]): Values => Object.fromEntries(entries.map(([name, value]) => [name, { value }]));

const plain = (values: Values) => Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]));

/** Returns the request that CloudFront, as the client, sends to a function's own address. Its header replaces one of that name. */
export const throughCloudFront = (request: FrontRequest, secret: string): FrontRequest => ({
	...request,
	headers: {
		...request.headers,
		'x-forwarded-for': [request.headers['x-forwarded-for'], request.address].filter(Boolean).join(', '),
		'x-function-secret': secret,
	},
	address: '198.51.100.1',
});
