import { element, type Failure, failuresOf } from './contact-failure.ts';
import { offerTool } from './agent-tool.ts';
import { fillFromLink } from './visit.ts';
import type { FormWords, ScriptNoticeKind } from './contact-notice.ts';

/** After this time the page says that the answer takes long. */
const LONG_MS = 8000;
/** The notice for each status. For any other status the first digit tells whose fault it is. */
const noticeOf: Record<number, ScriptNoticeKind> = { 408: 'offline', 413: 'tooLong', 422: 'invalid', 429: 'limited' };

/** Lets the contact form be sent without leaving the page. The form also works without this script. The page has every word that the script shows. */
export function sendInPlace(form: HTMLFormElement): void {
	const words = JSON.parse(form.dataset['words']!) as FormWords;
	const button = form.querySelector<HTMLButtonElement>(':scope > .action:not(.send-again)')!;
	const progress = element('p', '', { id: 'progress', className: 'visually-hidden', role: 'status' });
	const ready = button.textContent;
	const failures = failuresOf(form, words);
	let isSending = false;
	/** How many tries in a row were lost on the way, although the browser is online. */
	let lost = 0;

	// Firefox tells screen readers that an empty `required` field is invalid, before anybody has written.
	const needed = [...form.querySelectorAll<HTMLInputElement>('[required]')];
	for (const input of needed) {
		input.removeAttribute('required');
		input.setAttribute('aria-required', 'true');
	}
	const isRight = (input: HTMLInputElement) => input.validity.valid && !(needed.includes(input) && isEmpty(input));
	// From here on the script takes corrected errors away, not the styles.
	form.classList.add('scripted');
	// Screen readers announce a text only if its region exists before it.
	form.append(progress);
	// Not before somebody writes: a first visit does not need it.
	const load = () => form.append(element('script', '', { type: 'module', src: words.mistypedScript }));
	form.addEventListener('input', load, { once: true });
	const filled = element('p', words.filled, { className: 'hint', role: 'status' });
	const showFilled = () => form.prepend(filled);
	if (fillFromLink(form)) showFilled();

	form.addEventListener('input', ({ target }) => {
		const input = target as HTMLInputElement;
		const field = input.closest('.field');
		if (field && isRight(input)) failures.unmark(field);
	});
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		if (!isSending) void submit();
	});
	// Makes the form usable again when the visitor comes back from the thanks page, out of the browser's cache.
	addEventListener('pageshow', ({ persisted }) => {
		if (!persisted) return;
		showSending(false);
		failures.clear();
	});
	// Last: the interface may change, and the form works without it.
	offerTool(form, showFilled);

	async function submit(): Promise<void> {
		showSending(true);
		const failure = lost < 2 ? await send() : undefined;
		if (lost > 1) {
			// Something in the browser, such as an extension, lets no script send. A visitor who stops the page can send again.
			isSending = false;
			// So that the next page tells of no earlier message.
			remember('', '');
			return form.submit();
		}
		if (failure) {
			showSending(false);
			return failures.show(failure);
		}
		// Once the next page is there: it may be slow, and an empty form would look as if nothing was sent.
		addEventListener('pagehide', () => form.reset(), { once: true });
		location.assign(words.thanks);
	}

	async function send(): Promise<Failure | undefined> {
		// Sends the same body as the form without its script, so that errors are in words for visitors.
		const body = new URLSearchParams([...new FormData(form)] as [string, string][]);
		// An extension may fill in the trap. A person would then be thanked for what has mistakes, which nobody can release.
		if (!form.checkValidity() || needed.some(isEmpty)) body.set('website', '');
		// A server may end the connection on a longer body, which looks like being offline.
		if (String(body).length > words.bodyLimit) return { notice: 'tooLong' };
		const timeout = new AbortController();
		const showDelay = () => Object.assign(progress, { textContent: words.stillSending, className: '' });
		const timers = [setTimeout(() => timeout.abort(), words.patience * 1000), setTimeout(showDelay, LONG_MS)];
		try {
			const response = await fetch(form.action, {
				method: 'POST',
				headers: { accept: 'application/json', 'idempotency-key': keyOf(String(body)) },
				body,
				signal: timeout.signal,
			});
			lost = 0;
			const { status } = response;
			const answer = await response.json().catch(() => ({}));
			if (answer.ok === true) return remember(answer.reference, body.get('email')!);
			const errors = [answer.errors].flat().filter((error) => error?.pointer);
			// Such an answer was cut off, or is not ours: it may be the sign-in page of a hotel's network.
			if (response.ok || (status === 422 && errors.length === 0)) return { notice: 'offline' };
			const notice = noticeOf[status] ?? (status < 500 ? 'refused' : 'unavailable');
			return { notice, errors, wait: Number(response.headers.get('retry-after')) };
		} catch {
			if (navigator.onLine) lost += 1;
			return { notice: 'offline' };
		} finally {
			for (const timer of timers) clearTimeout(timer);
		}
	}

	function showSending(on: boolean): void {
		isSending = on;
		for (const each of [button, failures.again]) each.setAttribute('aria-disabled', String(on));
		button.textContent = on ? words.sending : ready;
		failures.again.textContent = on ? words.sending : words.sendAgain;
		progress.textContent = on ? words.sending : '';
		progress.className = 'visually-hidden';
	}
}

const isEmpty = ({ type, checked, value }: HTMLInputElement) => (type === 'checkbox' ? !checked : value === '');

/** Keeps for the thanks page, in this tab alone, what it shows, and forgets the key. A shared file with the name would cost a first visit one more request. */
function remember(reference: string, email: string): undefined {
	try {
		sessionStorage['sent'] = JSON.stringify({ reference, email });
		delete sessionStorage['sending'];
	} catch {
		// The visitor has forbidden it.
	}
}

/** Returns the idempotency key of a body: until it was accepted, also in this tab's next page, it counts as one lead. Another body is another lead. */
function keyOf(body: string): string {
	// FNV-1a, with random numbers behind it: `randomUUID` works on https only.
	const hash = [...body].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16777619), 2166136261);
	try {
		if (!sessionStorage['sending']?.startsWith(`${hash},`))
			sessionStorage['sending'] = `${hash},${crypto.getRandomValues(new Uint32Array(4))}`;
		return sessionStorage['sending'];
	} catch {
		return String(hash);
	}
}
