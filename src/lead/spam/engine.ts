import type { Signal } from './signal.ts';

/** The action of a spam engine that the operator runs (`LEAD_SPAM_URL`). */
export const engine: Signal = {
	name: 'engine',
	reason: {
		en: 'The spam engine would reject the message as a mail, or mark it.',
		de: 'Der Spamfilter würde die Nachricht als E-Mail abweisen oder kennzeichnen.',
		es: 'El filtro de spam rechazaría el mensaje o lo marcaría si fuera un correo.',
		fr: 'Le filtre antispam rejetterait le message ou le signalerait si c’était un e-mail.',
		pt: 'O filtro de spam recusaria ou marcaria a mensagem se fosse um e-mail.',
		ar: 'كان مرشّح البريد المزعج سيرفض الرسالة أو يعلّمها لو كانت بريدًا إلكترونيًا.',
	},
	look: ({ engine: action }) =>
		action === undefined ? undefined : action === 'reject' ? 'strong' : action === 'add header' && 'weak',
	cases: [
		[{}, 'strong', { engine: 'reject' }],
		[{}, 'weak', { engine: 'add header' }],
		[{}, false, { engine: 'no action' }],
		[{}, undefined],
	],
};
