import type { FormWords } from './contact-notice.ts';
import { countText } from './counted.ts';

/** In milliseconds: screen readers announce the number after this pause in typing. */
const PAUSE = 1000;

/** Says under a nearly full field how many characters are left, or too many. */
export function countIn(field: HTMLTextAreaElement, { left, over }: FormWords): void {
	const limit = Number(field.dataset['limit']);
	const seen = Object.assign(document.createElement('p'), { className: 'counter', ariaHidden: 'true' });
	const heard = Object.assign(document.createElement('p'), { className: 'visually-hidden', ariaLive: 'polite' });
	field.after(seen, heard);
	let timer: ReturnType<typeof setTimeout>;

	/** Counts as the server does: in code points, without white space around the text. */
	function count(): void {
		const room = limit - [...field.value.trim()].length;
		const text = room > limit / 10 ? '' : countText(room < 0 ? over : left, Math.abs(room), document.documentElement.lang);
		seen.textContent = text;
		seen.classList.toggle('over', room < 0);
		clearTimeout(timer);
		timer = setTimeout(() => void (heard.textContent = text), PAUSE);
	}
	field.addEventListener('input', count);
	count();
}
