import type { DocsData, PageFile } from '../../facts/page.ts';
import type { Prose } from './prose.ts';

/** A page of prose that could be read. */
export interface ReadPage extends PageFile {
	prose: Prose;
}

/** A link to a place within a page that only the built page can tell of: components make its places. */
export interface Anchor {
	file: string;
	line: number;
	/** What to say of it. */
	found: string;
	path: string;
	id: string;
}

/** The names that prose may use, and the links that are checked later. */
export interface Site {
	/** The project's folder. */
	root: string;
	/** Without a slash at the end. */
	origin: string;
	/** None where they have a mistake of their own: no name can be judged then. */
	facts: Record<string, string> | undefined;
	/** By language, the English words that it has as well. */
	asInEnglish: Record<string, string[]>;
	/** The documentation, as far as it has a place. */
	docs: PageFile<DocsData>[];
	/** All pages of prose. */
	pages: ReadPage[];
	/** The files of `public/`, as they are published. */
	publicPaths: string[];
	/** Every path that is published. */
	paths: string[];
	/** Collects the links that only built pages can tell of. */
	anchors: Anchor[];
	/** Collects what may be meant, for the end of a build. */
	warnings: string[];
}

/** A path or URL with its escapes resolved, where they are right. */
export function decoded(text: string): string {
	try {
		return decodeURI(text);
	} catch {
		return text;
	}
}
