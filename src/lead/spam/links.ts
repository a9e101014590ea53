import type { Signal } from './signal.ts';
import { hidesTarget } from './web-address.ts';

/**
 * Two or more links that people do not write: as markup, or to a service that hides where they lead. Agencies, tenders and
 * signatures of clinics have ordinary links, so those do not count.
 */
export const links: Signal = {
	name: 'links',
	reason: {
		en: 'The message has several links as markup, or links that hide where they lead.',
		de: 'Die Nachricht hat mehrere Links als Auszeichnung oder mit verstecktem Ziel.',
		es: 'El mensaje tiene varios enlaces como código, o que ocultan su destino.',
		fr: 'Le message a plusieurs liens sous forme de balisage, ou qui cachent leur destination.',
		pt: 'A mensagem tem várias ligações em código, ou que escondem o destino.',
		ar: 'في الرسالة عدة روابط على هيئة ترميز أو روابط تخفي وجهتها.',
	},
	look({ links: found }) {
		if (found.length === 0) return undefined;
		return found.filter((link) => link.marked || hidesTarget(link)).length > 1 && 'weak';
	},
	cases: [
		[{ message: '<a href="https://a.example/1">a</a> [url=https://b.example/2]b[/url]' }, 'weak'],
		[{ message: 'https://bit.ly/a1 or https://t.me/b2' }, 'weak'],
		[{ message: 'Tender: https://tender.example/1.pdf and https://tender.example/2.pdf' }, false],
		[{ message: 'Call us.' }, undefined],
	],
};
