import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Host } from './contract/host.ts';
import { testHost } from './contract/test-host.ts';
import { assembled } from './support/assembled.ts';
import { type FrontRequest, startFront } from '../support/front.ts';
import { startLambda } from './support/lambda.ts';
import { eventV1, eventV2 } from './support/lambda-events.ts';

const built = 'var/test/dist/hosts/lambda/function';

/** The secret that the cache sends to the function. */
const FUNCTION_SECRET = 'f00d'.repeat(16);

const startFunction = (env: Record<string, string>, eventFor: (request: FrontRequest) => object) =>
	assembled(async (parts) => {
		const folder = parts.use(await temporaryFolder()).path;
		zipAndUnzip(built, folder);
		const environment = parts.use(await startLambda(folder, 'lambda.handler', env));
		return { url: parts.use(await startFront((request) => environment.invoke(eventFor(request)))).url };
	});

const hosts: [name: string, serves: Host['serves'], eventOf: (request: FrontRequest) => object][] = [
	['AWS Lambda, HTTP API with a stage', 'operations', (request) => eventV2(request, 'prod')],
	['AWS Lambda, REST API', 'operations', (request) => eventV1(request, 'prod')],
	['AWS Lambda, function URL', 'everything', (request) => eventV2(request, '$default')],
];

for (const [name, serves, eventOf] of hosts) testHost({ name, serves, start: (env) => startFunction(env, eventOf) });

testHost({
	name: 'AWS Lambda, function URL behind a cache',
	serves: 'operations',
	start: (env) =>
		startFunction({ ...env, TRUST_PROXY: '2', FUNCTION_SECRET }, (request) => eventV2(throughCache(request), '$default')),
});

test('without a store there are no links: their paths have no file', async () => {
	await using running = await startFunction({}, (request) => eventV2(request, '$default'));
	const { status, headers } = await fetch(`${running.url}/lead/taken`);
	expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

/** Returns the request that a cache, as the client, sends to the function's own address. Its header replaces one of that name. */
const throughCache = (request: FrontRequest): FrontRequest => ({
	...request,
	headers: {
		...request.headers,
		'x-forwarded-for': [request.headers['x-forwarded-for'], request.address].filter(Boolean).join(', '),
		'x-function-secret': FUNCTION_SECRET,
	},
	address: '198.51.100.1',
});

/** Zips the folder, as for AWS, and unzips it, as AWS does. */
function zipAndUnzip(from: string, to: string): void {
	const file = path.join(to, 'function.zip');
	execFileSync('zip', ['-qr', file, '.'], { cwd: from });
	execFileSync('unzip', ['-q', file, '-d', to]);
}
