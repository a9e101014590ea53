import { element } from './element.ts';

/** How long a button shows that it has copied. */
const SHOWN_MS = 2000;

/** Keeps code that does not scroll from being a stop of the keyboard. */
const stops = new ResizeObserver((changes) => {
	for (const { target } of changes) (target as HTMLElement).tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
});

/** Adds a copy button over every example, and one for the whole page behind the links. */
export function addCopyButtons(page: HTMLElement): void {
	// Browsers offer the clipboard on https and localhost only.
	if (!navigator.clipboard) return;
	const heard = element('p', { className: 'visually-hidden', role: 'status' });
	page.append(heard);

	for (const example of page.querySelectorAll('pre')) {
		stops.observe(example);
		const button = element('button', { className: 'copy', type: 'button', ariaLabel: 'Copy', title: 'Copy' });
		example.after(button);
		const copy = () => navigator.clipboard.writeText(example.textContent.trimEnd());
		// If the browser forbids copying, the text is selected, and the reader presses one key.
		copyOnClick(button, copy, () => getSelection()?.selectAllChildren(example));
	}

	const markdown = page.querySelector<HTMLAnchorElement>('.docs-markdown a');
	if (!markdown) return;
	const button = element('button', { type: 'button' }, 'Copy page');
	markdown.parentElement!.append(button);
	// Safari takes a text that comes later only as a promise.
	const copyPage = () => navigator.clipboard.write([new ClipboardItem({ 'text/plain': plainText(markdown.href) })]);
	copyOnClick(button, copyPage, () => markdown.click());

	function copyOnClick(button: HTMLElement, write: () => Promise<void>, otherwise: () => void): void {
		button.addEventListener('click', () => {
			write().then(() => {
				button.classList.add('copied');
				heard.textContent = 'Copied';
				setTimeout(() => {
					button.classList.remove('copied');
					heard.textContent = '';
				}, SHOWN_MS);
			}, otherwise);
		});
	}
}

async function plainText(url: string): Promise<Blob> {
	const answer = await fetch(url);
	if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
	return new Blob([await answer.text()], { type: 'text/plain' });
}
