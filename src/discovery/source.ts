import type { Links } from '../facts/links.ts';
import type { Service } from '../facts/schema.ts';

/** The input of every document's builder: plain data, so that each builder is a pure function. */
export interface Source {
	service: Service;
	/** The public origin, without a trailing slash. */
	origin: string;
	links: Links;
	facts: Record<string, string>;
	/** The pages for people, in the order of the navigation. */
	pages: Page[];
	/** Every document, in the order of the table. */
	documents: Document[];
	/** The day of the build in UTC, `YYYY-MM-DD`. */
	builtOn: string;
}

export interface Document {
	path: `/${string}`;
	/** Says in one sentence what the document is for. */
	purpose: string;
	/** The whole `Content-Type`. */
	mediaType: string;
	/** The body: text as it is, anything else as minified JSON. */
	build: (source: Source) => unknown;
	/** The document's own headers, by lower-case name. */
	headers?: ((source: Source) => Record<string, string>) | undefined;
}

export interface Page {
	/** Starts with a slash. */
	path: string;
	title: string;
	description: string;
	/** BCP 47. */
	language: string;
	/** Its path in each language by `hreflang`, if there are several languages. */
	translations?: { tag: string; path: string }[];
	/** True for a page that another page lists, such as that of a problem: lists for readers leave it out. */
	isDetail?: boolean;
}
