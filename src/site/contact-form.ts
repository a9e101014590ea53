import { API_ACCESS } from '../service/links.ts';
import { type FormWords, isWorthAnother, type NoticeKind, noticeText } from './contact-notice.ts';

/*
 * Sends the contact form without leaving the page. Without this script the form works all the same.
 * Every word it shows stands in the page.
 */

/** In milliseconds: how long an answer may take. */
const PATIENCE = 30_000;
/** In milliseconds: after how long a visitor is told that it takes long. */
const LONG = 8000;
/** What is at fault on the way, by status; for any other, whose fault it is says the first digit. */
const noticeOf: Record<number, NoticeKind> = { 409: 'offline', 413: 'tooLong', 422: 'invalid', 429: 'limited' };

const form = document.querySelector<HTMLFormElement>('#contact-form')!;
const words = JSON.parse(form.dataset['words']!) as FormWords;
const button = form.querySelector<HTMLButtonElement>(':scope > button:last-of-type')!;
const notice = form.querySelector<HTMLElement>('#notice')!;
const again = form.querySelector<HTMLButtonElement>('.send-again') ?? sendAgainButton();
const progress = form.querySelector<HTMLElement>('#progress')!;
const { accessRequestPage } = words;
/** Where the draft lies in sessionStorage. A request for API access has one of its own. */
const DRAFT = accessRequestPage ? 'contact-draft' : 'access-draft';
const { title } = document;
const ready = button.textContent;
const storage = sessionStorageIfAllowed();
let isSending = false;
/** Names what is filled in: sent again after no answer came, it is the same lead. A change makes it another. */
let key = newKey();

/** What a visitor enters: neither the consent nor the fields that people do not see. */
const entered = [...form.querySelectorAll<HTMLInputElement>('.field:not(.consent) :is(input, textarea, select)')];

// The server's answer is the one truth about what is wrong, and it is shown the same way each time.
form.noValidate = true;
restoreDraft();
// Some hosts do not look at the query.
if (accessRequestPage && new URLSearchParams(location.search).get('for') === API_ACCESS) location.replace(accessRequestPage);

form.addEventListener('input', ({ target }) => {
	key = newKey();
	keepDraft();
	const input = target as HTMLInputElement;
	const field = input.closest('.field');
	if (field && input.validity.valid) unmark(field);
});
form.addEventListener('submit', (event) => {
	event.preventDefault();
	if (!isSending) void submit();
});
notice.addEventListener('click', (event) => {
	const target = (event.target as Element).closest('a')?.hash;
	if (!target) return;
	event.preventDefault();
	form.querySelector<HTMLElement>(target)?.focus();
});
// Back from the thanks page, out of the browser's cache: the form must be usable again.
addEventListener('pageshow', ({ persisted }) => {
	if (!persisted) return;
	showSending(false);
	clear();
});

async function submit(): Promise<void> {
	showSending(true);
	const failure = await send();
	showSending(failure === undefined);
	if (failure) return show(failure);
	storage?.removeItem(DRAFT);
	form.reset();
	location.assign(words.thanks);
}

interface Failure {
	notice: NoticeKind;
	errors?: { pointer: string; detail: string }[] | undefined;
	/** In seconds. */
	wait?: number;
}

async function send(): Promise<Failure | undefined> {
	const body = JSON.stringify(Object.fromEntries(new FormData(form)));
	// Beyond it a server may end the connection, which looks like none.
	if (new Blob([body]).size > words.bodyLimit) return { notice: 'tooLong' };
	const timeout = new AbortController();
	const timers = [setTimeout(() => timeout.abort(), PATIENCE), setTimeout(showDelay, LONG)];
	try {
		const response = await fetch(form.action, {
			method: 'POST',
			headers: { accept: 'application/json', 'content-type': 'application/json', 'idempotency-key': key },
			body,
			signal: timeout.signal,
		});
		const answer = await response.json().catch(() => ({}));
		if (answer.ok === true) return;
		// 200 without our answer comes from something in between, such as the sign-in page of a hotel's network.
		if (response.ok) return { notice: 'offline' };
		const kind = noticeOf[response.status] ?? (response.status < 500 ? 'refused' : 'unavailable');
		return { notice: kind, errors: answer.errors, wait: Number(response.headers.get('retry-after')) };
	} catch {
		return { notice: 'offline' };
	} finally {
		for (const timer of timers) clearTimeout(timer);
	}
}

/** Says why the form was not sent: above it, at the fields, and in the title. */
function show(failure: Failure): void {
	clear();
	const [before = '', after] = noticeText(failure.notice, words, document.documentElement.lang, failure.wait);
	const paragraph = element('p', before);
	if (after !== undefined) paragraph.append(element('a', words.email, { href: `mailto:${words.email}` }), after);
	const errors = failure.errors?.map(({ pointer, detail }) => showError(pointer.replace('#/', ''), detail)) ?? [];
	const list = element('ul');
	list.append(...errors);
	notice.replaceChildren(element('h2', words.notices[failure.notice].title), paragraph, ...(errors.length > 0 ? [list] : []));
	again.hidden = !isWorthAnother(failure.notice);
	document.title = words.errorTitle;
	notice.focus();
}

/** Marks a field. @returns its item for the notice */
function showError(field: string, detail: string): Element {
	form.querySelector(`#${field}`)?.setAttribute('aria-invalid', 'true');
	form.querySelector(`#${field}-error`)?.replaceChildren(detail);
	const item = element('li');
	item.append(element('a', detail, { href: `#${field}` }));
	return item;
}

function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	textContent = '',
	rest: Partial<HTMLElementTagNameMap[Name]> = {},
): HTMLElementTagNameMap[Name] {
	return Object.assign(document.createElement(name), { textContent }, rest);
}

function sendAgainButton(): HTMLButtonElement {
	const made = element('button', words.sendAgain, { className: 'send-again', hidden: true });
	notice.after(made);
	return made;
}

function showSending(on: boolean): void {
	isSending = on;
	for (const each of [button, again]) each.setAttribute('aria-disabled', String(on));
	button.textContent = on ? words.sending : ready;
	again.textContent = on ? words.sending : words.sendAgain;
	progress.textContent = on ? words.sending : '';
	progress.className = 'visually-hidden';
}

function showDelay(): void {
	progress.textContent = words.stillSending;
	progress.className = '';
}

function clear(): void {
	document.title = title;
	notice.replaceChildren();
	again.hidden = true;
	unmark(form);
}

/** Takes away what is said to be wrong with a field, or with all of them. */
function unmark(part: Element): void {
	for (const field of [part, ...part.querySelectorAll('[aria-invalid]')]) field.removeAttribute('aria-invalid');
	for (const error of part.querySelectorAll('.error')) error.textContent = '';
}

/** 128 bits at random. Not `randomUUID`, which is for https only. */
function newKey(): string {
	return String(crypto.getRandomValues(new Uint32Array(4)));
}

function keepDraft(): void {
	const given = entered.filter((field) => !isBox(field) || field.checked);
	storage?.setItem(DRAFT, JSON.stringify(Object.fromEntries(given.map(({ name, value }) => [name, value]))));
}

function restoreDraft(): void {
	// What the server has brought back was typed last.
	if (notice.childElementCount > 0) return;
	const draft = JSON.parse(storage?.getItem(DRAFT) ?? '{}') as Record<string, string>;
	for (const field of entered) {
		if (isBox(field)) field.checked ||= draft[field.name] === field.value;
		else if (['', field.defaultValue].includes(field.value)) field.value = draft[field.name] ?? field.value;
	}
}

function isBox({ type }: HTMLInputElement): boolean {
	return type === 'checkbox' || type === 'radio';
}

/** Browsers may forbid it: then there is no draft. */
function sessionStorageIfAllowed(): Storage | undefined {
	try {
		return sessionStorage;
	} catch {
		return undefined;
	}
}
