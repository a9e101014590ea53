import type { DocsWords } from '../../service/docs-words.ts';

/** What the scripts of the documentation say, and where the index of its search is. It stands on the page as data. */
export interface ScriptWords extends Pick<DocsWords, 'copy' | 'copied' | 'search'> {
	/** A path. */
	index: string;
}
