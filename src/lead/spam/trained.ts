import type { Signal } from './signal.ts';

/** The operator marked a lead as spam with a similar message, or a link of the same owner. */
export const trained: Signal = {
	name: 'trained',
	reason: {
		en: 'The lead is like one that you marked as spam.',
		de: 'Die Anfrage gleicht einer, die Sie als Spam gekennzeichnet haben.',
		es: 'La solicitud se parece a otra que usted marcó como spam.',
		fr: 'La demande ressemble à une autre que vous avez signalée comme spam.',
		pt: 'O pedido se parece com outro que você marcou como spam.',
		ar: 'يشبه هذا الطلب طلبًا سبق أن وسمتموه بأنه مزعج.',
	},
	look: ({ trained: verdict }) => (verdict === undefined ? undefined : verdict === 'spam' && 'certain'),
	cases: [
		[{}, 'certain', { trained: 'spam' }],
		[{}, false, { trained: 'clear' }],
		[{}, undefined],
	],
};
