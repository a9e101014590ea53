import { lookupAmong } from '../facts/language-lookup.ts';

/** Offers the page in the language that the reader prefers, if it has one. Readers without scripts have the menu of languages. */
export function offerLanguage(): void {
	const links = [...document.querySelectorAll<HTMLAnchorElement>('#languages a')];
	const preferred = lookupAmong(links.map(({ lang }) => lang))([...navigator.languages]);
	const link = links.find(({ lang, ariaCurrent }) => lang === preferred && !ariaCurrent);
	if (!link) return;
	const { lang, hreflang, href, dataset } = link;
	const offer = Object.assign(document.createElement('a'), { lang, hreflang, href, dir: 'auto', textContent: dataset['offer'] });
	document.querySelector('.offer')!.append(offer);
}
