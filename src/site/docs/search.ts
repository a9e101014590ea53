import type { ScriptWords } from './script-words.ts';
import { loadIndex } from './search-index.ts';
import { addResults } from './search-results.ts';

/** Shows below the field what is found while somebody types. */
export function startSearch(place: HTMLElement, field: HTMLInputElement, words: ScriptWords): void {
	const results = addResults(place, words);
	let index: ReturnType<typeof loadIndex> | undefined;

	async function show(): Promise<void> {
		try {
			const find = await (index ??= loadIndex(words.index));
			if (!place.contains(document.activeElement)) return;
			if (field.value.trim() === '') results.close();
			else results.show(field.value, find(field.value));
		} catch {
			index = undefined;
			results.fail();
		}
	}

	field.addEventListener('input', () => void show());
	field.addEventListener('focus', ({ relatedTarget }) => {
		if (!place.contains(relatedTarget as Node | null)) void show();
	});
	place.addEventListener('focusout', ({ relatedTarget }) => {
		if (!place.contains(relatedTarget as Node | null)) results.close();
	});
	place.addEventListener('keydown', (event) => {
		const stop = stopFor(event.key);
		if (!stop) return;
		event.preventDefault();
		if (event.key === 'Enter') stop.click();
		else stop.focus();
		if (event.key === 'Escape') results.close();
	});
	void show();

	/** Where a key leads from the field and among the results. */
	function stopFor(key: string): HTMLElement | undefined {
		const links = results.links();
		const stops = [field, ...links];
		const at = stops.indexOf(document.activeElement as HTMLAnchorElement);
		if (key === 'ArrowDown') return stops[at + 1];
		if (key === 'ArrowUp') return stops[at - 1];
		if (key === 'Escape' && results.isOpen()) return field;
		return key === 'Enter' && at === 0 ? links[0] : undefined;
	}
}
