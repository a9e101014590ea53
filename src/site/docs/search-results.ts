import { element } from './element.ts';
import type { ScriptWords } from './script.ts';
import type { Hit } from './search-index.ts';

/** The list below the field, with a line that is read out. */
export function addResults(place: HTMLElement, { search }: ScriptWords) {
	const status = element('p', { role: 'status' });
	const list = element('ul');
	// It takes the focus of a click beside its links, which would be lost otherwise.
	const box = element('div', { className: 'search-results', tabIndex: -1, hidden: true }, status, list);
	place.append(box);

	const say = (text: string) => {
		status.textContent = text;
		box.hidden = false;
	};
	return {
		box,
		/** Those that can be seen. */
		links: () => (box.hidden ? [] : [...list.querySelectorAll('a')]),
		show(words: string, hits: Hit[]): void {
			list.replaceChildren(...hits.map((hit) => element('li', {}, linkTo(hit))));
			const text = hits.length > 0 ? search.count : search.nothing;
			say(text.replace('{count}', String(hits.length)).replace('{words}', words));
		},
		fail(): void {
			list.replaceChildren();
			say(search.failed);
		},
	};
}

function linkTo({ url, title, heading, excerpt }: Hit): HTMLElement {
	const pieces = excerpt.map((piece, index) => (index % 2 === 1 ? element('mark', {}, piece) : piece));
	const name = element('strong', {}, heading ?? title);
	const page = heading === undefined ? [] : [' ', element('small', {}, title)];
	return element('a', { href: url }, name, ...page, element('span', {}, ...pieces));
}
