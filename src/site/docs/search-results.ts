import { element } from './element.ts';
import type { ScriptWords } from './script-words.ts';
import type { Hit } from './search-index.ts';

/** The list below the field, with a line above it that is read out. */
export function addResults(place: HTMLElement, { search }: ScriptWords) {
	const status = element('p', { role: 'status' });
	const list = element('ul');
	// It takes the focus of a click beside its links, which would be lost otherwise.
	const box = element('div', { tabIndex: -1 }, status, list);
	place.append(box);

	// It is always there, though nobody sees it empty: a line that comes with its region is not read out.
	const set = (text: string, hits: Hit[] = []) => {
		box.className = text === '' ? 'visually-hidden' : 'search-results';
		status.textContent = text;
		list.replaceChildren(...hits.map((hit) => element('li', {}, linkTo(hit))));
	};
	const close = () => set('');
	close();
	list.addEventListener('click', close);

	return {
		close,
		isOpen: () => status.textContent !== '',
		links: () => [...list.querySelectorAll('a')],
		fail: () => set(search.failed),
		show(words: string, hits: Hit[]): void {
			const text = hits.length > 0 ? search.count.replace('{count}', String(hits.length)) : search.nothing;
			const line = text.replace('{words}', () => words);
			set(line, hits);
		},
	};
}

function linkTo({ url, title, heading, excerpt }: Hit): HTMLElement {
	const pieces = excerpt.map((piece, index) => (index % 2 === 1 ? element('mark', {}, piece) : piece));
	const page = title === undefined ? [] : [' ', element('small', {}, title)];
	return element('a', { href: url }, element('strong', {}, heading), ...page, element('span', {}, ...pieces));
}
