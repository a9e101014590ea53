const KEY = 'language';

/** Opens the reader's programming language in every sample of a page, and remembers it for other pages. */
export function openSamples(page: HTMLElement): void {
	// Examples of answers are no samples.
	const titles = [...page.querySelectorAll<HTMLElement>('.tab:has(pre:not(.language-http)) > summary')];
	const open = (language: string | null) => {
		for (const title of titles) if (title.textContent.trim() === language) title.parentElement!.setAttribute('open', '');
	};
	for (const title of titles)
		title.addEventListener('click', (event) => {
			// The browser would close what this opens.
			event.preventDefault();
			const language = title.textContent.trim();
			open(language);
			withStorage((storage) => storage.setItem(KEY, language));
		});
	withStorage((storage) => open(storage.getItem(KEY)));
}

/** Browsers may forbid storage; then each page begins with its first language. */
function withStorage(use: (storage: Storage) => void): void {
	try {
		use(localStorage);
	} catch {}
}
