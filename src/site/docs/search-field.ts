import type { DocsWords } from '../../facts/docs-words.ts';
import { element } from './element.ts';

/** The words of the documentation's scripts, and the path of the search index. They are data on the page. */
export interface ScriptWords extends Pick<DocsWords, 'copy' | 'copied' | 'copyPage' | 'search'> {
	index: string;
	/** Where somebody asks who found nothing. */
	contact: string;
}

/** Puts the field into its reserved place. Loads the search once somebody is about to use it. */
export function addSearchField(place: HTMLElement, words: ScriptWords): void {
	const { label, field: placeholder } = words.search;
	const field = element('input', { type: 'search', placeholder, ariaLabel: label, autocomplete: 'off', spellcheck: false });
	field.setAttribute('aria-keyshortcuts', 'Control+K Meta+K');
	const key = element('kbd', { ariaHidden: 'true' }, /Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K');
	place.role = 'search';
	place.append(field, key);

	const failure = element('div', { className: 'search-results', role: 'alert' }, element('p', {}, words.search.failed));

	let loading: Promise<void> | undefined;
	field.addEventListener('focus', () => {
		failure.remove();
		loading ??= import('./search.ts')
			.then(({ startSearch }) => startSearch(place, field, words))
			.catch(() => {
				loading = undefined;
				place.append(failure);
			});
	});
	addEventListener('keydown', (event) => {
		// A letter alone would be in the way of speech input (WCAG 2.2, success criterion 2.1.4).
		if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
		event.preventDefault();
		field.focus();
		field.select();
	});
}
