import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';
import { type Host, testHost } from './contract.ts';
import { type FrontRequest, startFront } from '../support/front.ts';
import { startLambda } from './support/lambda.ts';

/** The secret that the cache sends to the function. */
const FUNCTION_SECRET = 'f00d'.repeat(16);

async function startFunction(env: Record<string, string>, eventFor: (request: FrontRequest) => object) {
	const folder = await temporaryFolder();
	// As for AWS, and as AWS does.
	execFileSync('zip', ['-qr', `${folder.path}/function.zip`, '.'], { cwd: 'var/test/dist/hosts/lambda/function' });
	execFileSync('unzip', ['-q', `${folder.path}/function.zip`, '-d', folder.path]);
	const environment = await startLambda(folder.path, 'lambda.handler', env);
	const front = await startFront((request) => environment.invoke(eventFor(request)));
	return { ...front, ...disposing(front, environment, folder) };
}

const behindCache = { TRUST_PROXY: '2', FUNCTION_SECRET };
const hosts: [name: string, serves: Host['serves'], eventOf: (request: FrontRequest) => object, own?: object][] = [
	['HTTP API with a stage', 'operations', (request) => eventV2(request, 'prod')],
	['REST API', 'operations', (request) => eventV1(request, 'prod')],
	['function URL', 'everything', (request) => eventV2(request, '$default')],
	['function URL behind a cache', 'operations', (request) => eventV2(throughCache(request), '$default'), behindCache],
];

for (const [name, serves, eventOf, own] of hosts)
	testHost({ name: `AWS Lambda, ${name}`, serves, start: (env) => startFunction({ ...env, ...own }, eventOf) });

test('without a store there are no links: their paths have no file', async () => {
	await using running = await startFunction({}, (request) => eventV2(request, '$default'));
	const { status, headers } = await fetch(`${running.url}/lead/taken`);
	expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

/** Returns the request that a cache, as the client, sends to the function's own address. Its header replaces one of that name. */
function throughCache({ headers, ...request }: FrontRequest): FrontRequest {
	const forwarded = [headers['x-forwarded-for'], request.address].filter(Boolean).join(', ');
	const added = { 'x-forwarded-for': forwarded, 'x-function-secret': FUNCTION_SECRET };
	return { ...request, headers: { ...headers, ...added }, address: '198.51.100.1' };
}

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
const eventV2: EventOf = (request, stage) => {
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
const eventV1: EventOf = (request, stage) => {
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
