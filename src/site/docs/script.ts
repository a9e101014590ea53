import type { DocsWords } from '../../service/docs-words.ts';
import { addCopyButtons } from './copy-buttons.ts';
import { markCurrentHeading } from './current-heading.ts';
import { addSearchField } from './search-field.ts';

/** What the scripts of the documentation say, and where the index of its search is. It stands on the page as data. */
export interface ScriptWords extends Pick<DocsWords, 'copy' | 'copied' | 'search'> {
	index: string;
}

/* Makes the documentation handier. Without this script it reads and works all the same. */

const docs = document.querySelector<HTMLElement>('.docs')!;
const words = JSON.parse(docs.dataset['words']!) as ScriptWords;

addCopyButtons(docs, words);
markCurrentHeading(docs);
addSearchField(docs.querySelector('.search')!, words);
