import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type HasField, isHandler, normalizeRoutes, type Route, type RouteWithSrc } from '@vercel/routing-utils';
import { fetchRaw } from '../support/fetch-raw.ts';
import { type FrontAnswer, type FrontRequest, startFront, typeOf } from '../support/front.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';
import { testHost } from './contract.ts';
import { startVercelFunction } from './support/vercel-function.ts';

testHost({
	name: 'Vercel',
	serves: 'everything',
	start: async (settings) => {
		const folder = await temporaryFolder();
		const output = `${folder.path}/output`;
		cpSync('var/test/dist/hosts/vercel/.vercel/output', output, { recursive: true });
		const api = await startVercelFunction(output, settings);
		const answer = vercelNetwork(output, ({ address, ...request }) => {
			// Vercel overwrites these.
			const client = { 'x-real-ip': address, 'x-forwarded-for': address };
			const host = { 'x-forwarded-host': request.headers['host']!, 'x-forwarded-proto': 'https' };
			return fetchRaw(api.url + request.path, { ...request, headers: { ...request.headers, ...client, ...host } });
		});
		const front = await startFront(answer);
		return { ...front, ...disposing(front, api, folder) };
	},
});

/** The overrides are other paths for files below `static`. */
type Config = { routes: Route[]; overrides: Record<string, { path: string }> };

/** Imitates Vercel's network for an output, as the Build Output API documents it. */
function vercelNetwork(output: string, callFunction: (request: FrontRequest) => Promise<FrontAnswer>) {
	const { routes, overrides } = JSON.parse(readFileSync(`${output}/config.json`, 'utf8')) as Config;
	const { error } = normalizeRoutes(routes);
	if (error) throw new Error(`Vercel refuses the routes: ${error.message}`);
	const files = new Map(filesIn(`${output}/static`).map((file) => [`/${overrides[file]?.path ?? file}`, file]));
	const answerWith = ({ path: target, headers, status = 200 }: Destination): FrontAnswer | undefined => {
		const file = files.get(target === '/' ? '/index' : target);
		if (file === undefined) return undefined;
		return { status, headers: { 'content-type': typeOf(file), ...headers }, body: readFileSync(`${output}/static/${file}`) };
	};

	return async (request: FrontRequest): Promise<FrontAnswer> => {
		const { pathname } = new URL(request.path, 'https://localhost');
		const at = lead({ path: pathname, headers: {}, status: undefined }, request, routes);
		if (at.status !== undefined && at.status < 400) return { status: at.status, headers: at.headers, body: '' };
		if (at.path === '/api') {
			const answer = await callFunction(request);
			return { ...answer, headers: { ...at.headers, ...answer.headers } };
		}
		const found = at.status === undefined ? answerWith(at) : undefined;
		const missed = () => answerWith(lead({ ...at, path: pathname, status: 404 }, request, routes, 'error'));
		return found ?? missed() ?? { status: 404, headers: at.headers, body: 'NOT_FOUND' };
	};
}

const filesIn = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

/** The target of a request. Its status is undefined where it is the target's own. */
type Destination = { path: string; headers: Record<string, string>; status: number | undefined };

/** Applies the rules of a phase, undefined for the first one, up to the first that fits without `continue`. */
function lead(from: Destination, request: FrontRequest, routes: Route[], phase?: string): Destination {
	let at = from;
	for (const rule of rulesOf(routes, phase)) {
		if (!fits(rule, at.path, request)) continue;
		at = { path: rule.dest ?? at.path, headers: { ...at.headers, ...rule.headers }, status: rule.status ?? at.status };
		if (!rule.continue) break;
	}
	return at;
}

function rulesOf(routes: Route[], phase: string | undefined): RouteWithSrc[] {
	const rules: RouteWithSrc[] = [];
	let current: string | undefined;
	for (const route of routes) {
		if (isHandler(route)) current = route.handle;
		else if (current === phase) rules.push(route);
	}
	return rules;
}

const fits = ({ src, methods, has = [] }: RouteWithSrc, path: string, request: FrontRequest) =>
	new RegExp(src).test(path) && (methods?.includes(request.method) ?? true) && has.every((one) => holds(one, request));

/** Returns whether a header is as a rule wants it, the only thing that our rules ask for. */
function holds({ type, value, ...of }: HasField[number], { headers }: FrontRequest): boolean {
	if (type !== 'header' || !('key' in of)) throw new Error(`No rule of ours asks for a ${type}.`);
	return new RegExp(`^(?:${String(value)})$`).test(headers[of.key] ?? '');
}
