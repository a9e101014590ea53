import { fillWords } from '../facts/language.ts';
import { meantAddress } from '../lead/mail-providers.ts';
import { element } from './contact-failure.ts';
import type { FormWords } from './contact-notice.ts';

/** Asks under the contact form’s field for the address whether another was meant. The form's script loads this file. */
const form = document.querySelector<HTMLFormElement>('#contact-form')!;
const field = form.querySelector<HTMLInputElement>('#email')!;
const { meant: words } = JSON.parse(form.dataset['words']!) as FormWords;
const button = element('button', '', { type: 'button' });
const question = element('p', '', { ariaLive: 'polite' });
field.after(question);

function ask(): void {
	const email = meantAddress(field.value);
	Object.assign(button, { value: email, textContent: fillWords(words, { email: email ?? '' }) });
	question.replaceChildren(...(email ? [button] : []));
}

button.addEventListener('click', () => {
	field.value = button.value;
	field.dispatchEvent(new Event('input', { bubbles: true }));
	field.focus();
	ask();
});
// Later, so that nothing moves under the click that ends the typing.
field.addEventListener('change', () => setTimeout(ask, 300));
ask();
