import { addCopyButtons } from './copy-buttons.ts';
import { markCurrentHeading } from './current-heading.ts';
import type { ScriptWords } from './script-words.ts';
import { watchWidth } from './scrolling.ts';
import { addSearchField } from './search-field.ts';
import { bringIntoSight } from './sight.ts';

/* Makes the documentation handier. Without this script it reads and works all the same. */

const docs = document.querySelector<HTMLElement>('.docs')!;
const words = JSON.parse(docs.dataset['words']!) as ScriptWords;

const navigation = docs.querySelector<HTMLElement>('.docs-nav')!;

bringIntoSight(navigation, navigation.querySelector<HTMLElement>('[aria-current]'));
addCopyButtons(docs, words);
watchWidth(docs);
markCurrentHeading(docs);
addSearchField(docs.querySelector('.search')!, words);
