import { existsSync, readFileSync } from 'node:fs';
import { type Header, parseAllHeaders } from '@netlify/headers-parser';
import { parseAllRedirects } from '@netlify/redirect-parser';
import type { FrontAnswer, FrontRequest } from '../../support/front.ts';
import { lowerCase, typeOf } from './headers.ts';

/** A redirect with the members that ours have: none of them is forced, or asks for a query. */
type Redirect = Record<'from' | 'to', string> & { status: number };

/** Imitates Netlify's network: reads a folder's configuration by Netlify's own parsers, and applies it as Netlify documents. */
export async function netlifyNetwork(folder: string): Promise<(request: FrontRequest) => FrontAnswer> {
	const netlifyConfigPath = `${folder}/netlify.toml`;
	const read = await parseAllHeaders({ headersFiles: [], netlifyConfigPath, configHeaders: undefined, minimal: false });
	const parsed = await parseAllRedirects({ redirectsFiles: [], netlifyConfigPath, configRedirects: [], minimal: true });
	const faults = [...read.errors, ...parsed.errors].map(({ message }) => message);
	if (faults.length > 0) throw new Error(`Netlify refuses the configuration: ${faults.join('\n')}`);
	const [rules, redirects] = [read.headers as Header[], parsed.redirects as Redirect[]];

	const headersAt = (path: string) =>
		lowerCase(Object.assign({}, ...rules.filter(({ forRegExp }) => forRegExp.test(path)).map(({ values }) => values)));
	const show = (path: string, status: number): FrontAnswer | undefined => {
		const file = filesAt(path).find((name) => name.includes('.') && existsSync(folder + name));
		if (file === undefined) return undefined;
		return { status, headers: { 'content-type': typeOf(file), ...headersAt(path) }, body: readFileSync(folder + file) };
	};

	return (request) => {
		const { pathname } = new URL(request.path, 'https://localhost');
		const found = show(pathname, 200);
		if (found !== undefined) return isRead(request) ? found : { status: 405, headers: headersAt(pathname), body: '' };
		const redirect = redirects.find(({ from }) => fits(from, pathname));
		return (redirect && show(redirect.to, redirect.status)) ?? { status: 404, headers: headersAt(pathname), body: 'Not Found' };
	};
}

/** Returns the files that may hold a page, in the order of Netlify's own packages. */
function filesAt(path: string): string[] {
	const bare = path.replace(/\/$/, '');
	return [path, `${bare}.html`, `${bare}/index.html`].map((name) => `/files${decodeURIComponent(name)}`);
}

const fits = (from: string, path: string) => (from.endsWith('/*') ? path.startsWith(from.slice(0, -1)) : path === from);

const isRead = ({ method }: FrontRequest) => method === 'GET' || method === 'HEAD';
