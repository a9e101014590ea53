import type { DocsWords } from '../../facts/docs-words.ts';
import { element } from './element.ts';

/** The words of the documentation's scripts, and the path of the search index. They are data on the page. */
export interface ScriptWords extends Pick<DocsWords, 'copy' | 'copied' | 'search'> {
	index: string;
}

/** Puts the field into its reserved place. Loads the search once somebody is about to use it. */
export function addSearchField(place: HTMLElement, words: ScriptWords): void {
	const { label, field: placeholder } = words.search;
	const field = element('input', { type: 'search', placeholder, ariaLabel: label, autocomplete: 'off', spellcheck: false });
	field.setAttribute('aria-keyshortcuts', '/');
	const key = element('kbd', { ariaHidden: 'true' }, '/');
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
		if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
		event.preventDefault();
		field.focus();
		field.select();
	});
}

const isTyping = (target: EventTarget | null) =>
	target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'));
