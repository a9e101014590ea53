import type { Signal } from './signal.ts';
import { books, isOf } from './web-address.ts';

/** An offer that was sent to many: it tells the reader how to opt out, beside a link to book a talk. */
export const pitch: Signal = {
	name: 'pitch',
	reason: {
		en: 'It tells how to opt out, beside a link to book a talk, as offers to many do.',
		de: 'Es nennt eine Abmeldung neben einem Link zur Terminbuchung, wie Massenwerbung.',
		es: 'Explica cómo darse de baja junto a un enlace para reservar una llamada, como la publicidad masiva.',
		fr: 'Il explique comment se désabonner, à côté d’un lien de prise de rendez-vous, comme la publicité de masse.',
		pt: 'Explica como cancelar junto a um link para marcar uma conversa, como a publicidade em massa.',
		ar: 'تشرح كيفية إلغاء الاشتراك بجانب رابط لحجز مكالمة، كما تفعل الإعلانات الجماعية.',
	},
	look({ lead: { message = '', email }, links }) {
		const invites = links.some((link) => books(link) && !isOf(link, email));
		if (!invites) return undefined;
		return sentencesOf(message).some((sentence) => optOut.test(sentence) && !ofPatients.test(sentence)) && 'weak';
	},
	cases: [
		[{ message: 'Book a call: https://calendly.com/jo/15min\nReply STOP to opt out.' }, 'weak'],
		[
			{ message: 'Termin: https://calendly.com/jo. Wenn Sie keine weiteren Nachrichten wünschen, antworten Sie mit „Nein“.' },
			'weak',
		],
		[{ message: 'Can patients reply STOP to opt out? Our booking page: https://calendly.com/smile' }, false],
		[{ message: 'Reply STOP to opt out.' }, undefined],
	],
};

/** A sentence that ends with a question mark asks how something works, and tells nobody to do it. */
const sentencesOf = (message: string) =>
	(message.match(/[^.!?؟\n]+[.!?؟\n]?/g) ?? []).filter((sentence) => !/[?؟]$/.test(sentence));

const ofPatients = /patient|pacient|paciente|kunden|clients? |مرضى|مريض/i;

/** Tells the reader how to get no more messages, in each published language. */
const optOut = new RegExp(
	[
		'\\bunsubscribe|\\bopt(?:ing)?[ -]?out\\b|\\bremove (?:you|me|your)\\b|\\b(?:reply|respond|answer|text)\\b.{0,30}\\b(?:stop|no|remove|unsubscribe|not interested)\\b',
		"\\b(?:don'?t|do not|no longer|rather not|not) (?:want|wish|like)?.{0,12}(?:hear|receive|get|be contacted|contact)",
		'abmelde|austragen|abbestell|keine (?:weiteren|weitere) (?:nachricht|mail|e-mail|mitteilung)|antworten sie (?:bitte )?(?:einfach )?mit',
		'darse? de baja|darme de baja|no (?:desea|deseas|quiere|quieres) (?:recibir|m[aá]s|que)|responda? .{0,12}(?:baja|stop|no)\\b|cancelar (?:la|su|tu) suscripci[oó]n',
		'd[ée]sabonn|d[ée]sinscri|ne (?:souhaitez|voulez|d[ée]sirez) (?:plus|pas) .{0,12}(?:recevoir|être)|r[ée]pondez .{0,12}(?:stop|non)\\b',
		'descadastr|cancelar (?:a|sua|o) (?:inscri|subscri)|n[aã]o (?:deseja|quer|quiser|desejar) (?:mais )?receber|remover (?:o )?seu|responda .{0,12}(?:sair|stop|n[aã]o)\\b',
		'إلغاء الاشتراك|لإلغاء|لا ترغب|لا تريد (?:استلام|تلقي)|عدم استلام',
		'отписа|не хотите получать',
	].join('|'),
	'i',
);
