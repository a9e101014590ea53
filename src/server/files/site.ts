import Negotiator from 'negotiator';
import { paths } from '../../facts/links.ts';
import { links } from '../../facts/load.ts';
import type { Answer } from '../../http/answer.ts';
import { methodNotAllowed } from '../../http/problem.ts';
import { isRead } from '../../http/request.ts';
import type { FileRequest } from './file-answer.ts';
import { isNotFoundPage, type Manifest, type ManifestEntry, notFoundPages } from './manifest.ts';

/** The file to send, and the status. */
interface Found {
	entry: ManifestEntry;
	status: number;
}

/** Returns functions that say what is at each path outside `/api/`. */
export function siteOf(manifest: Manifest) {
	const entries = new Map(Object.entries(manifest).filter(([path]) => !isNotFoundPage(path)));
	const notFound = notFoundPages(manifest);
	const inMarkdown = new Map(
		[...entries.values()].flatMap((page) => (page.markdown === undefined ? [] : [[page, markdownOf(page, manifest)] as const])),
	);
	return {
		/** Returns whether there is a file at a path. */
		has: (path: string) => entries.has(path),
		/** Returns the file for a request, in the form that the client prefers, or an answer without a file. */
		find(request: FileRequest, path: string): Found | Answer {
			const entry = entries.get(path);
			if (entry && !isRead(request)) return methodNotAllowed('GET, HEAD', methodAdvice[path]);
			if (entry) return { entry: formOf(entry, request), status: 200 };
			if (path.endsWith('/') && entries.has(path.slice(0, -1))) return withoutSlash(path, request);
			return { entry: notFound.find(({ below }) => path.startsWith(below))!, status: 404 };
		},
	};

	function formOf(entry: ManifestEntry, request: FileRequest): ManifestEntry {
		const markdown = inMarkdown.get(entry);
		return markdown && prefersMarkdown(request) ? markdown : entry;
	}
}

/**
 * RFC 9110 section 12.5.1. If a client likes both equally, it gets the one that it names first, and HTML unless it names Markdown
 * or refuses HTML: `text/*;q=1, text/html;q=0.9` does not ask for Markdown. Parameters other than `q` do not matter.
 */
function prefersMarkdown({ headers }: FileRequest): boolean {
	const { accept = '' } = headers;
	const isNamed = /markdown/i.test(accept);
	if (!isNamed && !refusal.test(accept)) return false;
	const ranges = accept.replace(parameter, '');
	const types = new Negotiator({ headers: { accept: ranges } }).mediaTypes(['text/html', 'text/markdown']);
	return types[0] === 'text/markdown' && (isNamed || types.length === 1);
}

/** Matches a weight of 0. */
const refusal = /q=0(?!\.\d*[1-9])/i;
/** Matches a parameter of a media range other than its weight. */
const parameter = /;\s*(?!q=)[\w!#$&^.+-]+=(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*)/gi;

function markdownOf({ markdown, headers }: ManifestEntry, manifest: Manifest): ManifestEntry {
	const entry = manifest[markdown!]!;
	// RFC 9110 section 8.7: the address that has only this representation.
	return { ...entry, headers: { ...entry.headers, vary: headers['vary']!, 'content-location': markdown! } };
}

/** Advice to a client that sends another method than GET to a page. */
const methodAdvice: Record<string, string> = {
	[paths.contact]: `This is a form for people. Programs send leads to ${links.submitLead}; ${links.authMd} says how they get access.`,
};

/** Redirects to the path without the slash. It has a file, so the location never leads to another host, as `//host` would. */
function withoutSlash(path: string, { url = '' }: FileRequest): Answer {
	const [query = ''] = /\?.*/.exec(url) ?? [];
	return { status: 308, headers: { location: path.slice(0, -1) + query }, body: '' };
}
