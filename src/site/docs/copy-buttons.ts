import { element } from './element.ts';

/** In milliseconds: how long a button says that it has copied. */
const SHOWN = 2000;

/** Puts a button on every example that copies it. It lies over the example, so that nothing moves. */
export function addCopyButtons(page: HTMLElement, { copy, copied }: { copy: string; copied: string }): void {
	// Browsers have it on https and on the machine itself only.
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
			// Where the browser forbids it, it is one key for the reader.
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
