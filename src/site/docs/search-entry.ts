/** A page in the search index: `paths.searchIndex` is a list of these. */
export interface SearchEntry {
	path: string;
	title: string;
	/** Its parts, each under its heading. The first is under the title, and has neither `anchor` nor `heading`. */
	parts: SearchPart[];
}

export interface SearchPart {
	/** The `id` of its heading. */
	anchor?: string;
	heading?: string;
	text: string;
}
