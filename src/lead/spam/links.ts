import type { Signal } from './signal.ts';
import { hidesTarget, isAtDomainOf } from './web-address.ts';

/**
 * Any link in BBCode, or links to two hosts other than the sender's own that are markup or hide where they lead: people paste links to
 * their own site as markup. Ordinary links do not count, because agencies, tenders and signatures have them.
 */
export const links: Signal = {
	name: 'links',
	reason: {
		en: 'The message has links as markup, or several that hide where they lead.',
		de: 'Die Nachricht enthält Links als HTML- oder BBCode oder mehrere mit verstecktem Ziel.',
		es: 'El mensaje contiene enlaces en forma de código, o varios que ocultan su destino.',
		fr: 'Le message contient des liens sous forme de balises, ou plusieurs qui cachent leur destination.',
		pt: 'A mensagem tem links em forma de código, ou vários que escondem o destino.',
		ar: 'في الرسالة روابط على هيئة وسوم، أو عدة روابط تخفي وجهتها.',
	},
	look({ lead: { email, message = '' }, links: found }) {
		if (found.length === 0) return undefined;
		const odd = found.filter((link) => (link.isMarkup || hidesTarget(link)) && !isAtDomainOf(link, email));
		return (new Set(odd.map(({ host }) => host)).size > 1 || /\[(?:url[=\]]|link=)/i.test(message)) && 'weak';
	},
	cases: [
		[{ message: '<a href="https://a.example/1">a</a> [url=https://b.example/2]b[/url]' }, 'weak'],
		[{ message: '[url=https://a.example/]a[/url]' }, 'weak'],
		[{ message: '[url]https://a.example/[/url]' }, 'weak'],
		[{ message: '[link=https://a.example/]a[/link]' }, 'weak'],
		[{ message: 'https://bit.ly/a1 or https://t.me/b2' }, 'weak'],
		[{ message: 'https://bit.ly/a1 or https://bit.ly/b2' }, false],
		[{ email: 'jo@a.example', message: '<a href="https://b.a.example/1">a</a> <a href="https://c.example/2">c</a>' }, false],
		[{ message: 'Tender: https://tender.example/1.pdf and https://tender.example/2.pdf' }, false],
		[{ message: 'Call us.' }, undefined],
	],
};
