import { cpSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';
import { testHost } from './contract/test-host.ts';
import { startFront, type FrontRequest } from '../support/front.ts';
import { netlifyNetwork } from './support/netlify-network.ts';
import { startLambda } from './support/lambda.ts';
import { tool } from './support/tools.ts';

testHost({
	name: 'Netlify',
	serves: 'everything',
	start: async (settings) => {
		const folder = await temporaryFolder();
		cpSync('var/test/dist/hosts/netlify', folder.path, { recursive: true });
		const files = await netlifyNetwork(folder.path);
		const api = await startNetlifyFunction(folder.path, settings);
		const front = await startFront(async (request) => (api.takes(request) ? api.answer(request) : files(request)));
		return { ...front, ...disposing(front, api, folder) };
	},
	// It shows the page before any rule of ours, refuses methods for files without `Allow`, and looks at no header before a file.
	otherwise: { slash: '200', html: '200', post: '405', markdown: 'text/html' },
});

type Bundle = { path: string; routes: { expression: string }[] };

/** Packs the function and its route with Netlify's own bundler, and runs it as Netlify does: on AWS Lambda, inside code of theirs. */
async function startNetlifyFunction(folder: string, env: Record<string, string>) {
	const { zipFunctions } = (await import(tool('@netlify/zip-it-and-ship-it/dist/main.js'))) as {
		zipFunctions(from: string, to: string, options: object): Promise<Bundle[]>;
	};
	const [bundle] = await zipFunctions(`${folder}/functions`, `${folder}/zipped`, { basePath: folder });
	execFileSync('unzip', ['-q', bundle!.path, '-d', `${folder}/unpacked`]);
	const environment = await startLambda(`${folder}/unpacked`, '___netlify-entry-point.handler', env);
	const routes = bundle!.routes.map(({ expression }) => new RegExp(expression));
	return {
		...environment,
		takes: ({ path }: FrontRequest) => routes.some((route) => route.test(path.replace(/\?.*/, ''))),
		answer: (request: FrontRequest) => environment.invoke(eventOf(request)),
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
