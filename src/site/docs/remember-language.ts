/** Opens the reader's programming language in every sample of a page, and remembers it for other pages. */
export function rememberLanguage(page: HTMLElement): void {
	const tabs = [...page.querySelectorAll<HTMLDetailsElement>('.tab')].filter(isSample);
	const open = (language: string | null) => {
		for (const tab of tabs) if (titleOf(tab) === language) tab.open = true;
	};

	for (const tab of tabs)
		tab.firstElementChild!.addEventListener('click', (event) => {
			event.preventDefault();
			open(titleOf(tab));
			withStorage((storage) => storage.setItem(KEY, titleOf(tab)));
		});
	withStorage((storage) => open(storage.getItem(KEY)));
}

const KEY = 'language';

const titleOf = (tab: Element) => tab.firstElementChild!.textContent;

/** Returns true if each tab beside it has code in another language; those of answers all have JSON. */
function isSample({ parentElement }: Element): boolean {
	const languages = [...parentElement!.children].map((tab) => tab.querySelector('pre')?.className);
	return languages.length > 1 && new Set(languages).size === languages.length;
}

/** Browsers may forbid storage; then each page begins with its first language. */
function withStorage(use: (storage: Storage) => void): void {
	try {
		use(localStorage);
	} catch {}
}
