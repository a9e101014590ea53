import { element } from './element.ts';

/** In milliseconds: a button shows this long that it has copied. */
const SHOWN = 2000;

/** Adds a copy button to every example. It lies over the example, so that nothing moves. */
export function addCopyButtons(page: HTMLElement, { copy, copied }: { copy: string; copied: string }): void {
	// Browsers offer the clipboard on https and localhost only.
	if (!navigator.clipboard) return;
	const heard = element('p', { className: 'visually-hidden', role: 'status' });
	page.append(heard);

	for (const example of page.querySelectorAll('pre')) {
		const button = element('button', { className: 'copy', type: 'button', ariaLabel: copy, title: copy });
		const frame = element('div', { className: 'example' });
		example.replaceWith(frame);
		frame.append(example, button);
		button.addEventListener('click', () => void copyOf(example, button));
	}

	async function copyOf(example: HTMLElement, button: HTMLElement): Promise<void> {
		try {
			await navigator.clipboard.writeText(example.textContent.trimEnd());
		} catch {
			// If the browser forbids copying, the reader needs one key only.
			return getSelection()?.selectAllChildren(example);
		}
		button.classList.add('copied');
		heard.textContent = copied;
		setTimeout(() => {
			button.classList.remove('copied');
			heard.textContent = '';
		}, SHOWN);
	}
}
