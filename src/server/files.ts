import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { paths } from '../facts/links.ts';
import { links } from '../facts/load.ts';
import { type Answer, methodNotAllowed, problem } from '../api/answer.ts';
import { type ClientRequest, isGetOrHead, shortHeader } from '../api/request.ts';
import { encodings, isNotFoundPage, type Manifest, type ManifestEntry, notFoundPages } from './manifest.ts';

/** Answers a request for a path that no code answers. */
export type Files = (request: ClientRequest, path: string) => Answer | Promise<Answer>;

/** One form of a file. */
type Variant = { headers: Answer['headers']; body: Buffer };

/** A file by content coding, best first. `identity` is always there. */
type Variants = Map<string, Variant>;

/** Loads the prebuilt files into memory, from the folder with `files.json` and `files.bin`. */
export function loadFiles(folder: URL): Files {
	const manifest = JSON.parse(readFileSync(new URL('files.json', folder), 'utf8')) as Manifest;
	const bytes = readFileSync(new URL('files.bin', folder));
	const ready = new Map<ManifestEntry, Variants>();
	return filesOf(manifest, (entry) => {
		// Preparing all of them at once takes a tenth of the start.
		if (!ready.has(entry)) ready.set(entry, variantsOf(entry, bytes));
		return ready.get(entry)!;
	});
}

/** Answers with the files of a manifest. */
export function filesOf(manifest: Manifest, load: (entry: ManifestEntry) => Variants | Promise<Variants>): Files {
	const entries = new Map(Object.entries(manifest).filter(([path]) => !isNotFoundPage(path)));
	const notFound = notFoundPages(manifest);
	for (const { headers } of notFound) headers['vary'] = 'Accept, Accept-Encoding';
	const inMarkdown = new Map([...entries.values()].map((entry) => [entry, markdownOf(entry, manifest)]));

	return (request, path) => {
		const entry = entries.get(path);
		if (!entry) {
			if (path.endsWith('/') && entries.has(path.slice(0, -1))) return withoutSlash(path, request);
			const notFoundAnswer = notFoundFor(request);
			if (notFoundAnswer) return notFoundAnswer;
			const page = notFound.find(({ below }) => path.startsWith(below))!;
			return answerWith(request, page, 404);
		}
		request.notes['route'] = path;
		if (!isGetOrHead(request)) return methodNotAllowed('GET, HEAD', path === paths.contact ? FORM_ADVICE : undefined);
		const markdown = inMarkdown.get(entry);
		return answerWith(request, markdown && prefers(request, 'text/markdown') ? markdown : entry, 200);
	};

	function answerWith(request: ClientRequest, entry: ManifestEntry, status: number) {
		const variants = load(entry);
		if (variants instanceof Promise) return variants.then((loaded) => fileAnswer(request, loaded, status));
		return fileAnswer(request, variants, status);
	}
}

/** Returns a file in each of its encodings. @param bytes in which the entry's `bodies` have their places */
export const variantsOf = ({ headers, etag, bodies }: ManifestEntry, bytes: Buffer): Variants =>
	new Map(
		Object.entries(bodies).map(([encoding, [from, to]]) => {
			// Another representation needs another strong validator (RFC 9110 section 8.8.3).
			const own: Record<string, string> =
				encoding === 'identity' ? { etag } : { 'content-encoding': encoding, etag: etag.replace(/"$/, `-${encoding}"`) };
			return [encoding, { body: bytes.subarray(from, to), headers: { ...headers, ...own, 'content-length': String(to - from) } }];
		}),
	);

/** Returns the Markdown of a page, for the page's own address, with the one that has only this (RFC 9110 section 8.7). */
function markdownOf({ markdown, headers }: ManifestEntry, manifest: Manifest): ManifestEntry | undefined {
	if (markdown === undefined) return undefined;
	const entry = manifest[markdown]!;
	return { ...entry, headers: { ...entry.headers, vary: headers['vary']!, 'content-location': markdown } };
}

/**
 * Returns whether a client prefers this to HTML (RFC 9110 section 12.5.1). If it likes both equally, it gets the one that it names
 * first, and HTML unless it names the other or refuses HTML: `text/*;q=1, text/html;q=0.9` does not ask for Markdown. Parameters
 * other than `q` do not matter.
 */
function prefers(request: ClientRequest, type: 'text/markdown' | 'application/json'): boolean {
	const accept = shortHeader(request, 'accept');
	const isNamed = accept.toLowerCase().includes(type);
	if (!isNamed && !refusal.test(accept)) return false;
	const ranges = accept.replace(parameter, '');
	const types = new Negotiator({ headers: { accept: ranges } }).mediaTypes(['text/html', type]);
	return types[0] === type && (isNamed || types.length === 1);
}

/** Matches a weight of 0. */
const refusal = /q=0(?!\.\d*[1-9])/i;
/** Matches a parameter of a media range other than its weight. */
const parameter = /;\s*(?!q=)[\w!#$&^.+-]+=(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*)/gi;

const NOTHING_HERE = `This website has nothing at this path. ${links.llmsTxt} lists what it has for programs.`;

/** Answers in Markdown or JSON for a path that has nothing, if the client prefers that to our page. */
function notFoundFor(request: ClientRequest): Answer | undefined {
	const headers = { vary: 'Accept' };
	if (prefers(request, 'text/markdown'))
		return {
			...problem('not-found', { headers: { ...headers, 'content-type': 'text/markdown; charset=utf-8' } }),
			body: `# 404\n\n${NOTHING_HERE}\n`,
		};
	return prefers(request, 'application/json')
		? problem('not-found', { title: 'No such page', detail: NOTHING_HERE, headers })
		: undefined;
}

const FORM_ADVICE = `This is a form for people. Programs send leads to ${links.submitLead}; ${links.authMd} says how they get access.`;

/** Redirects to the path without the slash. It has a file, so the location never leads to another host, as `//host` would. */
const withoutSlash = (path: string, { url }: ClientRequest): Answer => ({
	status: 308,
	headers: { location: path.slice(0, -1) + (/\?.*/.exec(url)?.[0] ?? '') },
	body: '',
});

/** Answers GET and HEAD with a file, or a part of it, in the best encoding that the client accepts, or as its conditions want: 304 or 412. */
function fileAnswer(request: ClientRequest, variants: Variants, status: number): Answer {
	const variant = variants.get(encodingFor(request, variants))!;
	if (status !== 200) return { status, ...variant };
	const { headers } = variant;
	const [wanted, known] = [request.headers.get('if-match'), request.headers.get('if-none-match')];
	// Our files have no modification date, so conditions on one are ignored (RFC 9110 sections 13.1.3, 13.1.4 and 13.2.2).
	if (wanted !== null && !hasValidator(wanted, headers['etag']!))
		return { status: 412, headers: { 'cache-control': 'no-store' }, body: '' };
	// Compared weakly (RFC 9110 section 13.1.2).
	if (known !== null && hasValidator(known.replace(/(^|,)\s*W\//g, '$1'), headers['etag']!)) {
		const { 'content-length': _, ...rest } = headers;
		return { status: 304, headers: rest, body: Buffer.alloc(0) };
	}
	// A compressed file is small, so it is always sent whole.
	return (variants.size === 1 && partOf(request, variant)) || { status, ...variant };
}

/** Returns whether a list of validators, or `*`, has this one (RFC 9110 section 13.1). */
const hasValidator = (list: string, etag: string) => list === '*' || list.split(',').some((one) => one.trim() === etag);

/** Returns the first of our encodings that the client accepts (RFC 9110 section 12.5.3), or else the plain file's. */
function encodingFor(request: ClientRequest, variants: Variants): string {
	const accepted = acceptedEncodings.memo(shortHeader(request, 'accept-encoding'));
	return accepted.find((encoding) => variants.has(encoding)) ?? 'identity';
}

/** By the value of the header, in our order. Browsers send few, and choosing adds a twelfth to a page's processor time. */
const acceptedEncodings = new LRUCache<string, string[]>({
	max: 100,
	memoMethod: (header) => {
		const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...encodings]);
		return encodings.filter((encoding) => accepted.includes(encoding));
	},
});

/**
 * Returns the requested part of a file (RFC 9110 section 14), with its status, or undefined for all of it. Safari plays no sound
 * that it cannot get in parts. Several ranges, and units other than bytes, are not supported.
 */
function partOf({ method, headers: asked }: ClientRequest, { headers, body }: Variant): Answer | undefined {
	const [range, first, last, suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/.exec(asked.get('range') ?? '') ?? [];
	const isOfAnother = (asked.get('if-range') ?? headers['etag']) !== headers['etag'];
	if (!range || method !== 'GET' || isOfAnother || (last && Number(last) < Number(first))) return undefined;
	const from = first === undefined ? Math.max(0, body.length - Number(suffix)) : Number(first);
	const to = last ? Math.min(Number(last) + 1, body.length) : body.length;
	const part = body.subarray(from, to);
	const place = `bytes ${from < to ? `${from}-${to - 1}` : '*'}/${body.length}`;
	return {
		status: from < to ? 206 : 416,
		headers: { ...headers, 'content-range': place, 'content-length': String(part.length) },
		body: part,
	};
}
