import { sendInPlace } from './contact-form.ts';
import { offerLanguage } from './offer.ts';

/* The script of every page for visitors: a first visit fetches one file, and the contact page then needs no other. */

offerLanguage();
const form = document.querySelector<HTMLFormElement>('#contact-form');
if (form) sendInPlace(form);
// A recorded call plays while its popover is open. Closed before it plays, it rejects.
const call = document.querySelector<HTMLAudioElement>('.recording audio');
call?.parentElement!.addEventListener('toggle', ({ newState }) => {
	if (newState === 'open') call.play().catch(() => {});
	else call.pause();
});
