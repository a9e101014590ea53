import type { Signal } from './signal.ts';

/** What the operator said of leads with the same message, or with a link to the same place. */
export const trained: Signal = {
	name: 'trained',
	reason: {
		en: 'It is like a lead that you marked as spam.',
		de: 'Es gleicht einer Anfrage, die Sie als Spam gekennzeichnet haben.',
		es: 'Se parece a una solicitud que usted marcó como spam.',
		fr: 'Il ressemble à une demande que vous avez signalée comme spam.',
		pt: 'É parecido com um pedido que você marcou como spam.',
		ar: 'تشبه طلبًا سبق أن وسمتموه بأنه مزعج.',
	},
	look: ({ trained: verdict }) => (verdict === undefined ? undefined : verdict === 'spam' && 'certain'),
	cases: [
		[{}, 'certain', { trained: 'spam' }],
		[{}, false, { trained: 'clear' }],
		[{}, undefined],
	],
};
