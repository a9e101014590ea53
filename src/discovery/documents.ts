import type { Answer } from '../http/answer.ts';
import { paths } from '../service/links.ts';
import { apiCatalog, apiCatalogLinks } from './api-catalog.ts';
import { authMd } from './auth-md.ts';
import { authorizationServer } from './authorization-server.ts';
import { jwks } from './jwks.ts';
import { llmsTxt } from './llms-txt.ts';
import { openapi } from './openapi.ts';
import { protectedResource } from './protected-resource.ts';
import { robotsTxt } from './robots-txt.ts';
import { securityTxt } from './security-txt.ts';
import { sitemap } from './sitemap.ts';
import type { Source } from './source.ts';

/** A document for programs. */
export interface Document {
	path: (typeof paths)[keyof typeof paths];
	/** The whole `Content-Type`. */
	mediaType: string;
	/** The body: text as it is, anything else as JSON. */
	build: (source: Source) => unknown;
	/** Headers of its own, by lower-case name. */
	headers?: (source: Source) => Record<string, string>;
}

const json = 'application/json';
const plain = 'text/plain; charset=utf-8';
/** RFC 9727 section 4.2. */
const linkset = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Every document that is published for programs. To add one: write its builder, and its row here. */
export const documents: Document[] = [
	{ path: paths.openapi, mediaType: json, build: openapi },
	{ path: paths.apiCatalog, mediaType: linkset, build: apiCatalog, headers: apiCatalogLinks },
	{ path: paths.protectedResource, mediaType: json, build: protectedResource },
	{ path: paths.authorizationServer, mediaType: json, build: authorizationServer },
	{ path: paths.openidConfiguration, mediaType: json, build: authorizationServer },
	{ path: paths.jwks, mediaType: json, build: jwks },
	{ path: paths.authMd, mediaType: 'text/markdown; charset=utf-8', build: authMd },
	{ path: paths.llmsTxt, mediaType: plain, build: llmsTxt },
	{ path: paths.robotsTxt, mediaType: plain, build: robotsTxt },
	{ path: paths.securityTxt, mediaType: plain, build: securityTxt },
	{ path: paths.sitemap, mediaType: 'application/xml', build: sitemap },
];

/** Public, the same for everybody, and rebuilt with the site: programs on any origin may read it. */
const sharedHeaders = {
	'cache-control': 'public, max-age=300',
	'access-control-allow-origin': '*',
	'cross-origin-resource-policy': 'cross-origin',
};

/** The document as it goes out. */
export function documentAnswer({ mediaType, build, headers }: Document, source: Source): Answer {
	const content = build(source);
	return {
		status: 200,
		headers: { 'content-type': mediaType, ...sharedHeaders, ...headers?.(source) },
		body: typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
	};
}
