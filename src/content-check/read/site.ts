import type { DocsData, PageFile } from '../../facts/page.ts';
import type { Prose } from './prose.ts';

/** A page of prose that could be read. */
export interface ReadPage extends PageFile {
	prose: Prose;
}

/** A link to a place within a page: only the built page shows whether it is there, because components make and hide places. */
export interface Anchor {
	file: string;
	line: number;
	/** The words of the mistake, if the place is missing. */
	found: string;
	path: string;
	id: string;
}

/** The content that the rules look at, and the links that they collect. */
export interface Site {
	/** The project's folder. */
	root: string;
	/** Without a trailing slash. */
	origin: string;
	/** None if the facts have mistakes: nothing can check their names then. */
	facts: Record<string, string> | undefined;
	/** The pages of documentation. */
	docs: PageFile<DocsData>[];
	/** All pages of prose. */
	pages: ReadPage[];
	/** The published paths of the files of `public/`. */
	publicPaths: string[];
	/** Every published path. */
	paths: string[];
	/** Collects the links to places within pages, which built pages must confirm. */
	anchors: Anchor[];
}
