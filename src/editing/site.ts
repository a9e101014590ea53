import type { DocsData, PageFile } from './page.ts';
import type { Prose } from './prose.ts';

/** A page of prose that could be read. */
export interface ReadPage extends PageFile {
	prose: Prose;
}

/** What prose may speak of. */
export interface Site {
	/** The project's folder. */
	root: string;
	/** Without a slash at the end. */
	origin: string;
	facts: Record<string, string>;
	/** The documentation, as far as it has a place. */
	docs: PageFile<DocsData>[];
	/** All pages of prose. */
	pages: ReadPage[];
	/** The files of `public/`, as they are published. */
	publicPaths: string[];
	/** Every path that is published. */
	paths: string[];
}

/** A path or URL with its escapes resolved, where they are right. */
export function decoded(text: string): string {
	try {
		return decodeURI(text);
	} catch {
		return text;
	}
}
