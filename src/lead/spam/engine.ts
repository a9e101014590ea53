import type { Signal } from './signal.ts';

/** The verdict of a spam engine that the operator runs (`LEAD_SPAM_URL`). */
export const engine: Signal = {
	name: 'engine',
	reason: {
		en: 'The spam engine would refuse or mark it as a mail.',
		de: 'Der Spamfilter würde es als Mail abweisen oder kennzeichnen.',
		es: 'El filtro de spam lo rechazaría o lo marcaría si fuera un correo.',
		fr: 'Le filtre antispam le refuserait ou le signalerait si c’était un e-mail.',
		pt: 'O filtro de spam o recusaria ou marcaria se fosse um e-mail.',
		ar: 'كان مرشّح البريد المزعج سيرفضها أو يعلّمها لو كانت رسالة بريد.',
	},
	look: ({ engine: verdict }) =>
		verdict === undefined ? undefined : verdict === 'reject' ? 'strong' : verdict === 'add header' && 'weak',
	cases: [
		[{}, 'strong', { engine: 'reject' }],
		[{}, 'weak', { engine: 'add header' }],
		[{}, false, { engine: 'no action' }],
		[{}, undefined],
	],
};
