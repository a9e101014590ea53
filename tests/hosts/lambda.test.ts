import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';
import type { Host } from './contract/host.ts';
import { testHost } from './contract/test-host.ts';
import { type FrontRequest, startFront } from '../support/front.ts';
import { startLambda } from './support/lambda.ts';
import { eventV1, eventV2 } from './support/lambda-events.ts';

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
