import { element } from './element.ts';
import type { ScriptWords } from './script-words.ts';
import type { Hit } from './search-index.ts';

/** The list below the field, with a line above it that is read out. */
export function addResults(place: HTMLElement, { search }: ScriptWords) {
	const status = element('p', { role: 'status' });
	const list = element('ul');
	// It takes the focus of a click beside its links, which would be lost otherwise.
	const box = element('div', { className: 'search-results', tabIndex: -1, hidden: true }, status, list);
	place.append(box);

	const open = (text: string, hits: Hit[]) => {
		status.textContent = text;
		list.replaceChildren(...hits.map((hit) => element('li', {}, linkTo(hit))));
		box.hidden = false;
	};
	const close = () => void (box.hidden = true);
	list.addEventListener('click', close);

	return {
		close,
		isOpen: () => !box.hidden,
		/** Those that can be seen. */
		links: () => (box.hidden ? [] : [...list.querySelectorAll('a')]),
		fail: () => open(search.failed, []),
		show(words: string, hits: Hit[]): void {
			const text = hits.length > 0 ? search.count.replace('{count}', String(hits.length)) : search.nothing;
			open(
				text.replace('{words}', () => words),
				hits,
			);
		},
	};
}

function linkTo({ url, title, heading, excerpt }: Hit): HTMLElement {
	const pieces = excerpt.map((piece, index) => (index % 2 === 1 ? element('mark', {}, piece) : piece));
	const page = title === undefined ? [] : [' ', element('small', {}, title)];
	return element('a', { href: url }, element('strong', {}, heading), ...page, element('span', {}, ...pieces));
}
