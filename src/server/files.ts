import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import { acceptedLanguages } from '../http/accepted-languages.ts';
import { API_ACCESS } from '../service/links.ts';
import { knownLanguage } from '../service/load.ts';
import { encodings, type Manifest, type ManifestEntry } from './manifest.ts';
import { isNotFoundPage, notFoundPages } from './not-found.ts';
import { offeringPage, type OfferingPage } from './offer.ts';
import { partOf } from './range.ts';
import { prefersMarkdown } from './prefers-markdown.ts';
import { isBodyPending } from './unread-body.ts';

/** A prebuilt file in memory, ready to be sent in each of its encodings. */
export interface PrebuiltFile {
	/** By content coding; `identity` is always there. */
	variants: Map<string, Variant>;
	/** The same in Markdown, at the same path, for those who ask for that. */
	markdown?: PrebuiltFile | undefined;
	/** By language: the same with its offer in that shown, where it has one. */
	offering?: ((language: string) => PrebuiltFile | undefined) | undefined;
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
		variants: variantsOf(packed(entry, bytes)),
		offering: offeringOf(entry, bytes),
		markdown: markdownOf(entry, manifest, bytes),
		accessRequest: request && fileOf(request, manifest, bytes),
	};
}

function markdownOf({ markdown, headers }: ManifestEntry, manifest: Manifest, bytes: Buffer): PrebuiltFile | undefined {
	const entry = markdown === undefined ? undefined : manifest[markdown];
	if (entry === undefined) return undefined;
	// RFC 9110 section 8.7: the address that has this representation only.
	const own = { vary: headers['vary']!, 'content-location': markdown! };
	return { variants: variantsOf(packed({ ...entry, headers: { ...entry.headers, ...own } }, bytes)) };
}

/** Each page is made once, when somebody is first to see it: there are as many as pages times languages. */
function offeringOf(entry: ManifestEntry, bytes: Buffer): PrebuiltFile['offering'] {
	const { offers } = entry;
	if (offers === undefined) return undefined;
	const made = new Map<string, PrebuiltFile>();
	return (language) => {
		const at = offers[language];
		if (at !== undefined && !made.has(language)) {
			const page = offeringPage(entry, packed(entry, bytes).bodies.identity!, language, at);
			made.set(language, { variants: variantsOf(page) });
		}
		return made.get(language);
	};
}

function packed({ headers, etag, bodies }: ManifestEntry, bytes: Buffer): OfferingPage {
	const own = Object.entries(bodies).map(([encoding, [from, to]]) => [encoding, bytes.subarray(from, to)]);
	return { headers, etag, bodies: Object.fromEntries(own) as OfferingPage['bodies'] };
}

function variantsOf({ headers, etag, bodies }: OfferingPage): Map<string, Variant> {
	return new Map(
		Object.entries(bodies).map(([encoding, body]) => {
			const own: Record<string, string> = encoding === 'identity' ? { etag } : encodedHeaders(encoding, etag);
			return [encoding, { body, headers: { ...headers, ...own, 'content-length': String(body.length) } }];
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
	const form = page.markdown && prefersMarkdown(request) ? page.markdown : (offering(request, page) ?? page);
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

/** Its own language is none that a page offers itself in. */
function offering({ headers }: IncomingMessage, page: PrebuiltFile): PrebuiltFile | undefined {
	const language = page.offering && preferredLanguage(headers['accept-language'] ?? '');
	return language === undefined ? undefined : page.offering!(language);
}

/** The first of ours that the client takes (RFC 9110 section 12.5.3); the plain file where it takes none. */
function encodingFor({ headers }: IncomingMessage, { variants }: PrebuiltFile): string {
	const accepted = acceptedEncodings(headers['accept-encoding'] ?? '');
	for (const encoding of variants.keys()) if (accepted.includes(encoding)) return encoding;
	return 'identity';
}

/** What was chosen for a header's value, of which browsers have few: to choose anew makes a page cost a twelfth more processor time. */
function weighed<Choice>(choose: (header: string) => Choice): (header: string) => Choice {
	const known = new Map<string, Choice>();
	return (header) => {
		if (known.has(header)) return known.get(header)!;
		const choice = choose(header);
		if (known.size < 100 && header.length <= LONGEST_HEADER) known.set(header, choice);
		return choice;
	};
}

/** In characters: browsers send 30. To compare thousands of codings takes longer than to send the file without any. */
const LONGEST_HEADER = 500;

const acceptedEncodings = weighed((header) =>
	header.length > LONGEST_HEADER ? [] : new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...encodings]),
);

const preferredLanguage = weighed((header) => knownLanguage(acceptedLanguages(header)));

/** RFC 9110 section 13.1.2: compared weakly, a list or `*`. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
	if (ifNoneMatch === undefined) return false;
	return ifNoneMatch === '*' || ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
