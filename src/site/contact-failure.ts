import { fillParts } from '../facts/language.ts';
import { element } from './element.ts';
import { type FormWords, isWorthAnother, type ScriptNoticeKind, noticeText } from './contact-notice.ts';

/** The reason why the server did not accept the form. */
export interface Failure {
	notice: ScriptNoticeKind;
	errors?: { pointer: string; detail: string }[] | undefined;
	/** In seconds: the wait before the next try. */
	wait?: number;
}

/** Shows failures above the form, at the fields, and in the title. The button `again` sends the form once more. */
export function failuresOf(form: HTMLFormElement, words: FormWords) {
	const { title } = document;
	const notice =
		form.querySelector<HTMLElement>('#notice') ??
		element('div', { id: 'notice', className: 'notice', role: 'alert', tabIndex: -1 });
	const again =
		form.querySelector<HTMLButtonElement>('.send-again') ??
		element('button', { className: 'action send-again' }, words.sendAgain);

	function show({ notice: kind, errors = [], wait }: Failure): void {
		clear();
		const link = () => element('a', { href: `mailto:${words.email}`, dir: 'ltr' }, words.email);
		const text = fillParts(noticeText(kind, words, document.documentElement.lang, wait), link);
		const items = errors.map(({ pointer, detail }) => mark(pointer.replace('#/', ''), detail));
		notice.replaceChildren(element('h2', {}, words.notices[kind].title), element('p', {}, ...text));
		if (items.length > 0) notice.append(element('ul', {}, ...items));
		form.prepend(notice, ...(isWorthAnother(kind) ? [again] : []));
		document.title = words.errorTitle;
		notice.focus();
	}

	/** Marks a field. @returns its item for the notice */
	function mark(field: string, detail: string): HTMLElement {
		form.querySelector(`#${field}`)?.setAttribute('aria-invalid', 'true');
		form.querySelector(`#${field}-error`)?.replaceChildren(detail);
		return element('li', {}, element('a', { href: `#${field}` }, detail));
	}

	/** Takes back the errors of a part of the form, and the notice with the last of them. */
	function unmark(part: Element): void {
		for (const field of part.querySelectorAll('[aria-invalid=true]')) {
			field.removeAttribute('aria-invalid');
			form.querySelector(`#${field.id}-error`)!.textContent = '';
			notice.querySelector(`[href="#${field.id}"]`)?.parentElement!.remove();
		}
		if (notice.querySelector('ul:empty')) clear();
	}

	function clear(): void {
		document.title = title;
		notice.replaceChildren();
		notice.remove();
		again.remove();
		unmark(form);
	}

	return { notice, again, show, unmark, clear };
}
