import { execFileSync } from 'node:child_process';
import type { FrontRequest } from '../../support/front.ts';
import { startLambda } from './lambda.ts';
import { tool } from './tools.ts';

interface Bundle {
	path: string;
	routes: { expression: string }[];
}

/**
 * Packs the function and its route with Netlify's own bundler, and runs it as Netlify does: on AWS Lambda, inside the code that
 * Netlify puts around it.
 */
export async function startNetlifyFunction(folder: string, env: Record<string, string>) {
	const { zipFunctions } = (await import(tool('@netlify/zip-it-and-ship-it/dist/main.js'))) as {
		zipFunctions(from: string, to: string, options: object): Promise<Bundle[]>;
	};
	const [bundle] = await zipFunctions(`${folder}/functions`, `${folder}/zipped`, { basePath: folder });
	execFileSync('unzip', ['-q', bundle!.path, '-d', `${folder}/unpacked`]);
	const environment = await startLambda({ folder: `${folder}/unpacked`, handler: '___netlify-entry-point.handler', env });
	const routes = bundle!.routes.map(({ expression }) => new RegExp(expression));
	return {
		takes: ({ path }: FrontRequest) => routes.some((route) => route.test(path.replace(/\?.*/, ''))),
		answer: (request: FrontRequest) => environment.invoke(eventOf(request)),
		[Symbol.asyncDispose]: () => environment[Symbol.asyncDispose](),
	};
}

/** Returns the event for the code around the function. Netlify overwrites the client's own header with its address. */
const eventOf = ({ method, path, headers, body, address }: FrontRequest) => ({
	httpMethod: method,
	rawUrl: `https://${headers['host']}${path}`,
	headers: { ...headers, 'x-nf-client-connection-ip': address },
	body: body.toString('base64'),
	isBase64Encoded: true,
	flags: {},
});
