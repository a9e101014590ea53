import { approach, clinic, goods, hooks, optOut, seller } from './pitch-words.ts';
import type { Signal } from './signal.ts';
import { fold } from './spelling.ts';
import { booksTalk, hidesTarget } from './web-address.ts';

/**
 * An offer that was sent to many. It names what strangers sell, or speaks as a seller, and it has a sign: the sender came across our
 * site; a hook, such as a free audit, a price at once or a promise; a link that books a talk or hides where it leads. No sign is
 * needed if a seller names such goods, or if goods come with a way to opt out. A message that speaks of the sender's own patients
 * or calls is a clinic's, and what the sender quotes is not the sender's.
 */
export const pitch: Signal = {
	name: 'pitch',
	reason: {
		en: 'The message reads like an offer that was sent to many.',
		de: 'Die Nachricht liest sich wie Werbung, die an viele ging.',
		es: 'El mensaje parece una oferta enviada a muchos destinatarios.',
		fr: 'Le message ressemble à une offre envoyée à de nombreux destinataires.',
		pt: 'A mensagem parece uma oferta enviada a muitos destinatários.',
		ar: 'تبدو الرسالة عرضًا أُرسل إلى كثيرين.',
	},
	look({ lead: { message = '' }, links }) {
		if (message === '' || message.length > LONGEST) return undefined;
		const sentences =
			fold(message)
				.replace(quoted, '')
				.match(/[^.!?؟\n]+[.!?؟\n]?/g) ?? [];
		const text = sentences.join('').replace(/\s+/g, ' ');
		if (clinic.test(text)) return false;
		const [hasGoods, isSeller] = [goods.test(text), seller.test(text)];
		const optsOut = () => sentences.some((sentence) => !/[?؟]$/.test(sentence) && optOut.test(sentence.trim()));
		const hasSign = () => approach.test(text) || hooks.test(text) || links.some((link) => hidesTarget(link) || booksTalk(link));
		return ((hasGoods && (isSeller || optsOut())) || ((hasGoods || isSeller) && hasSign())) && 'weak';
	},
	cases: [
		[{ message: 'We guarantee 12 qualified calls: https://calendly.com/jo/15min\nNot relevant? Just reply STOP.' }, 'weak'],
		[{ message: 'I came across your website. Would you like a free SEO audit?' }, 'weak'],
		[
			{ message: 'Ich habe Ihre Website analysiert: Sie werden bei Google kaum gefunden. Darf ich Ihnen die Analyse senden?' },
			'weak',
		],
		[{ message: 'I came across your website. Is there a free trial?' }, false],
		[{ message: 'We do the SEO of a clinic and want to buy this for it.' }, false],
		[{ message: 'Can patients reply STOP to opt out? Our booking page: https://calendly.com/smile' }, false],
		[
			{ message: 'Yes please!\n> Pick a time: https://calendly.com/ai/demo\n> Unsubscribe here or reply STOP. Free of charge.' },
			false,
		],
		[{ message: 'Reply STOP to opt out.' }, false],
		[{ message: '' }, undefined],
	],
};

/** In characters. Offers to strangers are short; newsletters, which tell how to opt out too, are longer. */
const LONGEST = 2000;

/** Lines of a mail that the sender answers, and all below its head. */
const quoted = /^[ \t]{0,9}>.*$|^-{3,9} ?(?:original|ursprung|mensa|message|الرسالة)[^]*/gm;
