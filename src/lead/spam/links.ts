import type { Signal } from './signal.ts';
import { hidesTarget, isAtDomainOf } from './web-address.ts';

/**
 * Links to two or more hosts that people do not write: as markup, or to a service that hides where they lead; or one in BBCode.
 * Ordinary links do not count, because agencies, tenders and signatures have them; nor do links to the sender's own site, which
 * people paste as markup.
 */
export const links: Signal = {
	name: 'links',
	reason: {
		en: 'The message has several links as markup, or links that hide where they lead.',
		de: 'Die Nachricht hat mehrere Links als Auszeichnung oder mit verstecktem Ziel.',
		es: 'El mensaje tiene varios enlaces como código, o que ocultan su destino.',
		fr: 'Le message a plusieurs liens sous forme de balisage, ou qui cachent leur destination.',
		pt: 'A mensagem tem vários links em código, ou que escondem o destino.',
		ar: 'في الرسالة عدة روابط على هيئة ترميز أو روابط تخفي وجهتها.',
	},
	look({ lead: { email, message = '' }, links: found }) {
		if (found.length === 0) return undefined;
		const odd = found.filter((link) => (link.isMarkup || hidesTarget(link)) && !isAtDomainOf(link, email));
		return (new Set(odd.map(({ host }) => host)).size > 1 || /\[(?:url[=\]]|link=)/i.test(message)) && 'weak';
	},
	cases: [
		[{ message: '<a href="https://a.example/1">a</a> [url=https://b.example/2]b[/url]' }, 'weak'],
		[{ message: '[url=https://a.example/]a[/url]' }, 'weak'],
		[{ message: 'https://bit.ly/a1 or https://t.me/b2' }, 'weak'],
		[{ email: 'jo@a.example', message: '<a href="https://a.example/1">a</a> <a href="https://a.example/2">b</a>' }, false],
		[{ message: 'Tender: https://tender.example/1.pdf and https://tender.example/2.pdf' }, false],
		[{ message: 'Call us.' }, undefined],
	],
};
