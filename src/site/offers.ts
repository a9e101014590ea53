import { lookupAmong } from '../service/language-lookup.ts';

/*
 * Shows the offer of the page in the language that the reader prefers, where no server of ours has looked: the page came from a cache, or
 * from a host of files.
 */

const offers = [...document.querySelectorAll<HTMLElement>('.offer')];
const preferred = lookupAmong([document.documentElement.lang, ...offers.map(({ lang }) => lang)])([...navigator.languages]);
const offer = offers.find(({ lang }) => lang === preferred);
if (offer && offers.every(({ hidden }) => hidden)) offer.hidden = false;
