import { addCopyButtons } from './copy-buttons.ts';
import { markCurrentHeading, scrollIntoSight } from './current-heading.ts';
import { rememberLanguage } from './remember-language.ts';
import { addSearchField } from './search-field.ts';

/* Makes the documentation handier. Without this script it reads and works too. */

const docs = document.querySelector<HTMLElement>('.docs')!;

const navigation = docs.querySelector<HTMLElement>('.docs-nav')!;

scrollIntoSight(navigation, navigation.querySelector<HTMLElement>('[aria-current]'));
addCopyButtons(docs);
rememberLanguage(docs);
watchWidth(docs);
markCurrentHeading(docs);
addSearchField(docs.querySelector('.search')!);

/** Lets the keyboard stop at tables only while they scroll. Without this script it stops at every table. */
function watchWidth(page: HTMLElement): void {
	const observer = new ResizeObserver((seen) => {
		for (const { target } of seen) setStop(target as HTMLElement, target.scrollWidth > target.clientWidth);
	});
	for (const table of page.querySelectorAll('.scroll')) observer.observe(table);
}

function setStop(table: HTMLElement, scrolls: boolean): void {
	if (scrolls) table.tabIndex = 0;
	else table.removeAttribute('tabindex');
}
