import { paths } from '../../facts/links.ts';
import { element } from './element.ts';

/** Puts the field into its reserved place. Loads the search once the reader is about to use it. */
export function addSearchField(place: HTMLElement): void {
	const field = element('input', {
		type: 'search',
		placeholder: 'Search',
		ariaLabel: 'Search the documentation',
		autocomplete: 'off',
		spellcheck: false,
	});
	field.setAttribute('aria-keyshortcuts', 'Control+K Meta+K');
	const key = element('kbd', { ariaHidden: 'true' }, /Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K');
	place.role = 'search';
	place.append(field, key);

	const failed = element('p', {}, 'The search could not be loaded. Reload this page to try again, or look yourself:');
	const all = element('a', { href: paths.docs }, element('strong', {}, 'All pages'));
	// Takes the focus of a click, as the list of results does.
	const failure = element('div', { className: 'search-results', role: 'alert', tabIndex: -1 }, failed, all);

	let loading: Promise<void> | undefined;
	field.addEventListener('focus', () => {
		failure.remove();
		loading ??= import('./search.ts')
			.then(({ startSearch }) => startSearch(place, field))
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
