import { cpSync, existsSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { type Header, parseAllHeaders } from '@netlify/headers-parser';
import { parseAllRedirects } from '@netlify/redirect-parser';
import { type FrontAnswer, type FrontRequest, startFront, typeOf } from '../support/front.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';
import { testHost } from './contract.ts';
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

/** A redirect with the members that ours have: none of them is forced, or asks for a query. */
type Redirect = Record<'from' | 'to', string> & { status: number };

/** Imitates Netlify's network: reads a folder's configuration by Netlify's own parsers, and applies it as Netlify documents. */
async function netlifyNetwork(folder: string): Promise<(request: FrontRequest) => FrontAnswer> {
	const netlifyConfigPath = `${folder}/netlify.toml`;
	const read = await parseAllHeaders({ headersFiles: [], netlifyConfigPath, configHeaders: undefined, minimal: false });
	const parsed = await parseAllRedirects({ redirectsFiles: [], netlifyConfigPath, configRedirects: [], minimal: true });
	const faults = [...read.errors, ...parsed.errors].map(({ message }) => message);
	if (faults.length > 0) throw new Error(`Netlify refuses the configuration: ${faults.join('\n')}`);
	const [rules, redirects] = [read.headers as Header[], parsed.redirects as Redirect[]];

	const headersAt = (path: string): Record<string, string> =>
		Object.assign({}, ...rules.filter(({ forRegExp }) => forRegExp.test(path)).map(({ values }) => values));
	const show = (path: string, status: number): FrontAnswer | undefined => {
		const bare = path.replace(/\/$/, '');
		// In the order of Netlify's own packages.
		const files = [path, `${bare}.html`, `${bare}/index.html`].map((name) => `/files${decodeURIComponent(name)}`);
		const file = files.find((name) => name.includes('.') && existsSync(folder + name));
		if (file === undefined) return undefined;
		return { status, headers: { 'content-type': typeOf(file), ...headersAt(path) }, body: readFileSync(folder + file) };
	};

	return (request) => {
		const { pathname } = new URL(request.path, 'https://localhost');
		const found = show(pathname, 200);
		if (found && ['GET', 'HEAD'].includes(request.method)) return found;
		if (found) return { status: 405, headers: headersAt(pathname), body: '' };
		const redirect = redirects.find(({ from }) => fits(from, pathname));
		return (redirect && show(redirect.to, redirect.status)) ?? { status: 404, headers: headersAt(pathname), body: 'Not Found' };
	};
}

const fits = (from: string, path: string) => (from.endsWith('/*') ? path.startsWith(from.slice(0, -1)) : path === from);
