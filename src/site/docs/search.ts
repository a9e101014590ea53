import type { ScriptWords } from './script.ts';
import { loadIndex } from './search-index.ts';
import { addResults } from './search-results.ts';

/** Shows below the field what is found while somebody types. @throws the index was not to be had */
export async function startSearch(place: HTMLElement, field: HTMLInputElement, words: ScriptWords): Promise<void> {
	place.querySelector('.search-results')?.remove();
	const results = addResults(place, words);
	const find = await loadIndex(words.index).catch((error: unknown) => {
		results.fail();
		throw error;
	});
	const show = () => (field.value.trim() === '' ? close() : results.show(field.value, find(field.value)));
	const close = () => void (results.box.hidden = true);

	field.addEventListener('input', show);
	field.addEventListener('focus', show);
	results.box.addEventListener('click', ({ target }) => (target as Element).closest('a') && close());
	place.addEventListener('focusout', ({ relatedTarget }) => {
		if (!place.contains(relatedTarget as Node | null)) close();
	});
	place.addEventListener('keydown', (event) => {
		const next = nextFocus(event.key);
		if (!next) return;
		event.preventDefault();
		if (event.key === 'Enter') next.click();
		else next.focus();
		if (event.key === 'Escape') close();
	});
	if (place.contains(document.activeElement)) show();

	/** Where a key leads from the field and among the results. */
	function nextFocus(key: string): HTMLElement | undefined {
		const stops = [field, ...results.links()];
		const at = stops.indexOf(document.activeElement as HTMLAnchorElement);
		if (key === 'ArrowDown') return stops[at + 1];
		if (key === 'ArrowUp') return stops[at - 1];
		if (key === 'Escape' && !results.box.hidden) return field;
		return key === 'Enter' && at === 0 ? stops[1] : undefined;
	}
}
