import type { DocsWords } from '../../facts/docs-words.ts';

/** The words of the documentation's scripts, and the path of the search index. They are data on the page. */
export interface ScriptWords extends Pick<DocsWords, 'copy' | 'copied' | 'search'> {
	index: string;
}
