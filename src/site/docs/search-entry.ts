/** A page as the search finds it: `paths.searchIndex` is a list of these. */
export interface SearchEntry {
	path: string;
	title: string;
	/** Its parts, each under its heading; the first stands under the title, and has neither `anchor` nor `heading`. */
	parts: SearchPart[];
}

export interface SearchPart {
	/** Where it is within the page. */
	anchor?: string;
	heading?: string;
	text: string;
}
