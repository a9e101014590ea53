import { element } from './element.ts';

/** Where to go from a tab, by key. */
const steps: Record<string, (at: number, count: number) => number> = {
	ArrowLeft: (at, count) => (at || count) - 1,
	ArrowRight: (at, count) => (at + 1) % count,
	Home: () => 0,
	End: (_, count) => count - 1,
};

/** Makes tabs of parts that fold without scripts. Opens the reader's programming language in each, and remembers it for other pages. */
export function addTabs(page: HTMLElement): void {
	const samples = new Map<HTMLElement, HTMLDetailsElement>();
	const open = (language: string | null) => {
		for (const [tab, part] of samples) if (tab.textContent === language) part.open = true;
	};

	for (const [group, tabs] of page.querySelectorAll('.tabs').entries()) {
		const parts = [...tabs.querySelectorAll<HTMLDetailsElement>('.tab')];
		// Answers all have JSON; samples each have another language.
		const languages = new Set(parts.map((part) => part.querySelector('pre')?.className));
		const isSample = parts.length > 1 && languages.size === parts.length;
		const all = parts.map((part, index) => {
			const panel = part.querySelector<HTMLElement>('.tab-panel')!;
			const title = part.firstElementChild!.textContent.trim();
			const tab = element('button', { type: 'button', role: 'tab', id: `tab-${group}-${index}` }, title);
			panel.id ||= `${tab.id}-panel`;
			panel.role = 'tabpanel';
			panel.setAttribute('aria-labelledby', tab.id);
			tab.setAttribute('aria-controls', panel.id);
			const mark = () => Object.assign(tab, { ariaSelected: String(part.open), tabIndex: part.open ? 0 : -1 });
			// A link to a panel, or a search in the page, opens it too.
			part.addEventListener('toggle', mark);
			mark();
			tab.addEventListener('click', () => {
				part.open = true;
				if (!isSample) return;
				open(title);
				withStorage((storage) => storage.setItem(KEY, title));
			});
			if (isSample) samples.set(tab, part);
			return tab;
		});
		const list = element('div', { className: 'tab-list', role: 'tablist' }, ...all);
		list.addEventListener('keydown', (event) => {
			const next = steps[event.key]?.(all.indexOf(event.target as HTMLButtonElement), all.length);
			if (next === undefined) return;
			event.preventDefault();
			all[next]!.focus();
			all[next]!.click();
		});
		tabs.prepend(list);
	}
	withStorage((storage) => open(storage.getItem(KEY)));
}

const KEY = 'language';

/** Browsers may forbid storage; then each page begins with its first language. */
function withStorage(use: (storage: Storage) => void): void {
	try {
		use(localStorage);
	} catch {}
}
