import { existsSync, readFileSync } from 'node:fs';
import { parseAllHeaders } from '@netlify/headers-parser';
import { parseAllRedirects } from '@netlify/redirect-parser';
import type { FrontAnswer, FrontRequest } from '../../support/front.ts';
import { lowerCase, typeOf } from './headers.ts';

interface Redirect {
	from: string;
	to: string;
	status: number;
	force?: boolean;
	query?: Record<string, string>;
}

interface HeaderRule {
	forRegExp: RegExp;
	values: Record<string, string>;
}

/** Imitates Netlify's network: reads a folder's configuration by Netlify's own parsers, and applies it as Netlify documents. */
export async function netlifyNetwork(folder: string): Promise<(request: FrontRequest) => FrontAnswer> {
	const netlifyConfigPath = `${folder}/netlify.toml`;
	const read = await parseAllHeaders({ headersFiles: [], netlifyConfigPath, configHeaders: undefined, minimal: false });
	const parsed = await parseAllRedirects({ redirectsFiles: [], netlifyConfigPath, configRedirects: [], minimal: true });
	const faults = [...read.errors, ...parsed.errors].map(({ message }) => message);
	if (faults.length > 0) throw new Error(`Netlify refuses the configuration: ${faults.join('\n')}`);
	const [rules, redirects] = [read.headers as HeaderRule[], parsed.redirects as Redirect[]];

	const headersAt = (path: string) =>
		lowerCase(Object.assign({}, ...rules.filter(({ forRegExp }) => forRegExp.test(path)).map(({ values }) => values)));
	const show = (path: string, status: number): FrontAnswer | undefined => {
		const file = filesAt(path).find((name) => name.includes('.') && existsSync(folder + name));
		if (file === undefined) return undefined;
		return { status, headers: { 'content-type': typeOf(file), ...headersAt(path) }, body: readFileSync(folder + file) };
	};

	return (request) => {
		const { pathname, searchParams } = new URL(request.path, 'https://localhost');
		const fitting = redirects.filter((redirect) => fits(redirect, pathname, searchParams));
		const forced = fitting.find(({ force }) => force);
		const found = forced ? show(forced.to, forced.status) : show(pathname, 200);
		if (found !== undefined) return isRead(request) ? found : { status: 405, headers: headersAt(pathname), body: '' };
		const [redirect] = fitting;
		return (redirect && show(redirect.to, redirect.status)) ?? { status: 404, headers: headersAt(pathname), body: 'Not Found' };
	};
}

/** Returns the files that may hold a page, in the order of Netlify's own packages. */
function filesAt(path: string): string[] {
	const bare = path.replace(/\/$/, '');
	return [path, `${bare}.html`, `${bare}/index.html`].map((name) => `/files${decodeURIComponent(name)}`);
}

function fits({ from, query = {} }: Redirect, path: string, searched: URLSearchParams): boolean {
	const same = from.endsWith('/*') ? path.startsWith(from.slice(0, -1)) : path === from;
	return same && Object.entries(query).every(([name, value]) => searched.get(name) === value);
}

const isRead = ({ method }: FrontRequest) => method === 'GET' || method === 'HEAD';
