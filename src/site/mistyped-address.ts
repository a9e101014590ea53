import { fillWords } from '../facts/language.ts';
import { meantAddress } from '../lead/mail-providers.ts';
import { element } from './contact-failure.ts';
import type { FormWords } from './contact-notice.ts';

/** Asks under the contact form’s field for the address whether another was meant. The form's script loads this file. */
const field = document.querySelector<HTMLInputElement>('#contact-form #email')!;
const { meant: words } = JSON.parse(field.form!.dataset['words']!) as FormWords;
const button = element('button', '', { type: 'button' });
const question = element('p');
// Orca does not read a button that appears in a live region.
const spoken = element('p', '', { className: 'visually-hidden', role: 'status' });
field.after(question, spoken);

function ask(): void {
	const email = meantAddress(field.value);
	spoken.textContent = email ? fillWords(words, { email }) : '';
	Object.assign(button, { value: email, textContent: spoken.textContent });
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
