import { API_ACCESS } from '../service/links.ts';

/*
 * Sends the contact form without leaving the page. Without this script the form works all the same.
 * Every word it shows stands in the page.
 */

/** In milliseconds: how long an answer may take. */
const PATIENCE = 30_000;
/** What is at fault on the way, by status; for any other, whose fault it is says the first digit. */
const noticeOf: Record<number, string> = { 409: 'offline', 422: 'invalid', 429: 'limited' };

const form = document.querySelector<HTMLFormElement>('#contact-form')!;
const button = form.querySelector('button')!;
const notice = form.querySelector<HTMLElement>('#notice')!;
const progress = form.querySelector('#progress')!;
const { thanks = '', sending = '', errorTitle = '', accessRequestPage } = form.dataset;
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

form.addEventListener('input', () => {
	key = newKey();
	keepDraft();
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
	if (persisted) showSending(false);
});

async function submit(): Promise<void> {
	showSending(true);
	const failure = await send();
	if (failure) {
		showSending(false);
		return show(failure);
	}
	storage?.removeItem(DRAFT);
	form.reset();
	location.assign(thanks);
}

interface Failure {
	notice: string;
	errors?: { pointer: string; detail: string }[];
}

async function send(): Promise<Failure | undefined> {
	const timeout = new AbortController();
	const timer = setTimeout(() => timeout.abort(), PATIENCE);
	try {
		const response = await fetch(form.action, {
			method: 'POST',
			headers: { accept: 'application/json', 'content-type': 'application/json', 'idempotency-key': key },
			body: JSON.stringify(Object.fromEntries(new FormData(form))),
			signal: timeout.signal,
		});
		const body = await response.json().catch(() => ({}));
		if (body.ok === true) return;
		// 200 without our answer comes from something in between, such as the sign-in page of a hotel's network.
		if (response.ok) return { notice: 'offline' };
		return { notice: noticeOf[response.status] ?? (response.status < 500 ? 'refused' : 'unavailable'), errors: body.errors };
	} catch {
		return { notice: 'offline' };
	} finally {
		clearTimeout(timer);
	}
}

/** Says why the form was not sent: above it, at the fields, and in the title. */
function show(failure: Failure): void {
	const template = form.querySelector<HTMLTemplateElement>(`#notice-${failure.notice}`)!;
	notice.replaceChildren(template.content.cloneNode(true));
	for (const { pointer, detail } of failure.errors ?? []) showError(pointer.replace('#/', ''), detail);
	document.title = errorTitle;
	notice.focus();
}

function showError(field: string, detail: string): void {
	const link = Object.assign(document.createElement('a'), { href: `#${field}`, textContent: detail });
	const item = document.createElement('li');
	item.append(link);
	notice.querySelector('ul')?.append(item);
	form.querySelector(`#${field}`)?.setAttribute('aria-invalid', 'true');
	form.querySelector(`#${field}-error`)?.replaceChildren(detail);
}

function showSending(on: boolean): void {
	isSending = on;
	button.setAttribute('aria-disabled', String(on));
	button.textContent = on ? sending : ready;
	progress.textContent = on ? sending : '';
	if (on) clear();
}

function clear(): void {
	document.title = title;
	notice.replaceChildren();
	for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
	for (const error of form.querySelectorAll('.error')) error.textContent = '';
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
