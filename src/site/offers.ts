import { lookupAmong } from '../facts/language-lookup.ts';

/* Shows the offer of the page in the language that the reader prefers. Readers without scripts have the menu of languages. */

const offers = [...document.querySelectorAll<HTMLElement>('.offer')];
const preferred = lookupAmong([document.documentElement.lang, ...offers.map(({ lang }) => lang)])([...navigator.languages]);
const offer = offers.find(({ lang }) => lang === preferred);
if (offer) offer.hidden = false;
