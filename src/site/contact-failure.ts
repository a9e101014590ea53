import { fillParts } from '../facts/language.ts';
import { type FormWords, isWorthAnother, type ScriptNoticeKind, noticeText } from './contact-notice.ts';

export interface Failure {
	notice: ScriptNoticeKind;
	errors?: { pointer: string; detail: string }[] | undefined;
	/** The wait before the next try, in seconds. */
	wait?: number;
}

/** Shows failures above the form, at the fields, and in the title. The button `again` sends the form once more. */
export function failuresOf(form: HTMLFormElement, words: FormWords) {
	const { title } = document;
	const notice =
		form.querySelector<HTMLElement>('#notice') ??
		element('div', '', { id: 'notice', className: 'notice', role: 'alert', tabIndex: -1 });
	const again =
		form.querySelector<HTMLButtonElement>('.send-again') ??
		element('button', words.sendAgain, { className: 'action send-again' });

	function show({ notice: kind, errors = [], wait }: Failure): void {
		clear();
		const text = element('p');
		const link = () => element('a', words.email, { href: `mailto:${words.email}`, dir: 'ltr' });
		text.append(...fillParts(noticeText(words.notices[kind].text, words.later, words.language, wait), link));
		const list = element('ul');
		list.append(...errors.map(({ pointer, detail }) => mark(pointer.replace('#/', ''), detail)));
		notice.replaceChildren(element('h2', words.notices[kind].title), text, ...(errors.length > 0 ? [list] : []));
		form.prepend(notice, ...(isWorthAnother(kind) ? [again] : []));
		document.title = words.errorTitle;
		notice.focus();
	}

	/** Marks a field. @returns its item for the notice */
	function mark(field: string, detail: string): HTMLElement {
		form.querySelector(`#${field}`)?.setAttribute('aria-invalid', 'true');
		form.querySelector(`#${field}-error`)?.replaceChildren(detail);
		const item = element('li');
		item.append(element('a', detail, { href: `#${field}` }));
		return item;
	}

	/** Removes the errors of a part of the form, and the notice with the last of them. */
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

/** Creates an element. The documentation has its own function: a shared file would cost a first visit one more request. */
export function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	textContent = '',
	rest: Partial<HTMLElementTagNameMap[Name]> = {},
): HTMLElementTagNameMap[Name] {
	return Object.assign(document.createElement(name), { textContent }, rest);
}
