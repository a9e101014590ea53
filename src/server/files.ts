import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import { API_ACCESS } from '../service/links.ts';
import { encodings, type Manifest, type ManifestEntry } from './manifest.ts';
import { isNotFoundPage, notFoundPages } from './not-found.ts';
import { partOf } from './range.ts';
import { isBodyPending } from './unread-body.ts';

/** A prebuilt file in memory, ready to be sent in each of its encodings. */
export interface PrebuiltFile {
	/** By content coding; `identity` is always there. */
	variants: Map<string, Variant>;
	/** The same in Markdown, at the same path, for those who ask for that. */
	markdown?: PrebuiltFile | undefined;
	/** What is sent in its place to who asks for it by `?for=api-access`. */
	accessRequest?: PrebuiltFile | undefined;
}

interface Variant {
	headers: Record<string, string>;
	body: Buffer;
}

/** Every prebuilt file by the path of its URL, and apart from them the pages that stand for an address at which nothing is. */
export function loadFiles(server: URL) {
	const manifest = JSON.parse(readFileSync(new URL('files.json', server), 'utf8')) as Manifest;
	const bytes = readFileSync(new URL('files.bin', server));
	const all = Object.entries(manifest).map(([path, entry]) => [path, fileOf(entry, manifest, bytes)] as const);
	const standIns = notFoundPages(manifest).map((page) => ({ below: page.below, file: fileOf(page, manifest, bytes) }));
	return {
		files: new Map(all.filter(([path]) => !isNotFoundPage(path))),
		notFoundPageFor: (path: string) => standIns.find(({ below }) => path.startsWith(below))!.file,
	};
}

function fileOf(entry: ManifestEntry, manifest: Manifest, bytes: Buffer): PrebuiltFile {
	const request = entry.accessRequest === undefined ? undefined : manifest[entry.accessRequest];
	return {
		variants: variantsOf(entry, bytes),
		markdown: markdownOf(entry, manifest, bytes),
		accessRequest: request && fileOf(request, manifest, bytes),
	};
}

function markdownOf({ markdown, headers }: ManifestEntry, manifest: Manifest, bytes: Buffer): PrebuiltFile | undefined {
	const entry = markdown === undefined ? undefined : manifest[markdown];
	if (entry === undefined) return undefined;
	// RFC 9110 section 8.7: the address that has this representation only.
	const own = { vary: headers['vary']!, 'content-location': markdown! };
	return { variants: variantsOf({ ...entry, headers: { ...entry.headers, ...own } }, bytes) };
}

function variantsOf({ headers, etag, bodies }: ManifestEntry, bytes: Buffer): Map<string, Variant> {
	return new Map(
		Object.entries(bodies).map(([encoding, [from, to]]) => {
			const own: Record<string, string> = encoding === 'identity' ? { etag } : encodedHeaders(encoding, etag);
			return [encoding, { body: bytes.subarray(from, to), headers: { ...headers, ...own, 'content-length': String(to - from) } }];
		}),
	);
}

/** Another representation, so another strong validator (RFC 9110 section 8.8.3). */
const encodedHeaders = (encoding: string, etag: string) => ({
	'content-encoding': encoding,
	etag: etag.replace(/"$/, `-${encoding}"`),
});

/** Answers GET and HEAD with a file: in the form and the encoding that the client likes best, or 304 when it has it. */
export function sendFile(request: IncomingMessage, response: ServerResponse, file: PrebuiltFile, status = 200): void {
	// The body of a GET is not read, so that nothing can follow it on the connection.
	if (isBodyPending(request)) response.shouldKeepAlive = false;
	const page = file.accessRequest && asksForAccess(request) ? file.accessRequest : file;
	const form = page.markdown && prefersMarkdown(request) ? page.markdown : page;
	const variant = form.variants.get(encodingFor(request, form))!;
	const { headers, body } = variant;
	if (status === 200 && isKnown(request.headers['if-none-match'], headers['etag']!)) {
		const { 'content-length': _, ...rest } = headers;
		response.writeHead(304, rest).end();
		return;
	}
	// What is compressed is small, and whole.
	const part = status === 200 && form.variants.size === 1 ? partOf(request, variant) : undefined;
	const sent = part ?? { status, headers, body };
	response.writeHead(sent.status, sent.headers).end(request.method === 'HEAD' ? undefined : sent.body);
}

/** Nearly nobody asks with a query: one is read only where there is one. */
function asksForAccess({ url = '' }: IncomingMessage): boolean {
	const start = url.indexOf('?');
	return start !== -1 && new URLSearchParams(url.slice(start)).get('for') === API_ACCESS;
}

/**
 * RFC 9110 section 12.5.1. Of two that it likes equally the client gets the one it names first, and HTML unless it names Markdown.
 * Without that name nothing else is looked at: `text/*;q=1, text/html;q=0.9` is no wish for Markdown.
 */
export function prefersMarkdown(request: IncomingMessage): boolean {
	if (!/markdown/i.test(request.headers.accept ?? '')) return false;
	return new Negotiator(request).mediaType(['text/html', 'text/markdown']) === 'text/markdown';
}

/** The first of ours that the client takes (RFC 9110 section 12.5.3); the plain file where it takes none. */
function encodingFor(request: IncomingMessage, { variants }: PrebuiltFile): string {
	const accepted = acceptedEncodings(request);
	for (const encoding of variants.keys()) if (accepted.includes(encoding)) return encoding;
	return 'identity';
}

/** What was chosen for a header's value, of which browsers have few: to choose anew makes a page cost a twelfth more processor time. */
const weighed = new Map<string, string[]>();

function acceptedEncodings(request: IncomingMessage): string[] {
	const header = request.headers['accept-encoding'] ?? '';
	// Browsers send 30 bytes. To compare thousands of codings takes longer than to send the file without any.
	if (header.length > 500) return [];
	const known = weighed.get(header);
	if (known) return known;
	const accepted = new Negotiator(request).encodings([...encodings]);
	if (weighed.size < 100) weighed.set(header, accepted);
	return accepted;
}

/** RFC 9110 section 13.1.2: compared weakly, a list or `*`. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
	if (ifNoneMatch === undefined) return false;
	return ifNoneMatch === '*' || ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
