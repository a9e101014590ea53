import { approach, clinic, hooks, offers, optOut, seller } from './pitch-words.ts';
import type { Signal } from './signal.ts';
import { fold } from './spelling.ts';
import { hidesTarget, isSchedulingLink } from './web-address.ts';

/**
 * An offer that was sent to many. Weak if it has an offer, with a seller's words or a way to opt out; or if it has an offer or a
 * seller's words, with a sign: they came across our site, a hook, a link for scheduling or one that hides where it leads. Never if the
 * sender speaks of their own patients or calls. Quotations are ignored.
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
		const [hasOffer, isSeller] = [offers.test(text), seller.test(text)];
		const optsOut = () => sentences.some((sentence) => !/[?؟]$/.test(sentence) && optOut.test(sentence.trim()));
		const hasSign = () =>
			approach.test(text) || hooks.test(text) || links.some((link) => hidesTarget(link) || isSchedulingLink(link));
		return ((hasOffer && (isSeller || optsOut())) || ((hasOffer || isSeller) && hasSign())) && 'weak';
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
