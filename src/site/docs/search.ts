import { paths } from '../../facts/links.ts';
import { element } from './element.ts';
import { FAILED } from './search-field.ts';
import { type Hit, loadIndex } from './search-index.ts';

/** Shows results below the field while somebody types. */
export function startSearch(place: HTMLElement, field: HTMLInputElement): void {
	const results = addResults(place);
	let index: ReturnType<typeof loadIndex> | undefined;

	async function show(): Promise<void> {
		try {
			const find = await (index ??= loadIndex(paths.searchIndex));
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

	/** Returns the next stop for a key, among the field and the results. */
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

/** Adds the list below the field, with a line above it that screen readers announce. */
function addResults(place: HTMLElement) {
	const status = element('p', { role: 'status' });
	const list = element('ul');
	// Takes the focus of a click beside its links, which would be lost otherwise.
	const box = element('div', { tabIndex: -1 }, status, list);
	place.append(box);

	// The box always exists, though nobody sees it empty: screen readers ignore a line that appears together with its region.
	const set = (text: string, links: HTMLElement[] = []) => {
		box.className = text === '' ? 'visually-hidden' : 'search-results';
		status.textContent = text;
		list.replaceChildren(...links.map((link) => element('li', {}, link)));
	};
	const close = () => set('');
	close();
	list.addEventListener('click', close);

	return {
		close,
		isOpen: () => status.textContent !== '',
		links: () => [...list.querySelectorAll('a')],
		fail: () => set(FAILED),
		show(words: string, hits: Hit[]): void {
			const ask = element('a', { href: paths.contact }, element('strong', {}, 'Ask us'));
			if (hits.length > 0) set(`Results: ${hits.length}`, hits.map(linkTo));
			else set(`Nothing found for “${words}”.`, [ask]);
		},
	};
}

function linkTo({ url, title, heading, excerpt }: Hit): HTMLElement {
	const pieces = excerpt.map((piece, index) => (index % 2 === 1 ? element('mark', {}, piece) : piece));
	const page = title === undefined ? [] : [' ', element('small', {}, title)];
	return element('a', { href: url }, element('strong', {}, heading), ...page, element('span', {}, ...pieces));
}
