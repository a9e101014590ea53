import { mailGroupOf } from '../mail-provider.ts';
import type { Fields, Signal } from './signal.ts';

/** The same message as a few days ago from somebody else. People of one firm write alike. */
export const repeated: Signal = {
	name: 'repeated',
	reason: {
		en: 'Somebody else has sent the same message in the last days.',
		de: 'Jemand anderes hat in den letzten Tagen dieselbe Nachricht geschickt.',
		es: 'Otra persona envió el mismo mensaje en los últimos días.',
		fr: 'Quelqu’un d’autre a envoyé le même message ces derniers jours.',
		pt: 'Outra pessoa enviou a mesma mensagem nos últimos dias.',
		ar: 'أرسل شخص آخر الرسالة نفسها في الأيام الأخيرة.',
	},
	look: ({ lead, alike }) => alike && alike.some((other) => !areOfOneFirm(lead, other)) && 'strong',
	cases: [
		[{ email: 'a@one.example', clinic: 'One' }, 'strong', { alike: [{ email: 'b@two.example', clinic: 'Two' }] }],
		[{ email: 'a@one.example', clinic: 'One' }, false, { alike: [{ email: 'b@one.example', clinic: 'One, branch' }] }],
		[{ email: 'a@gmail.com', clinic: 'One' }, false, { alike: [{ email: 'b@gmail.com', clinic: 'ONE' }] }],
		[{ email: 'a@one.example', clinic: 'One' }, false, { alike: [] }],
		[{ email: 'a@one.example', clinic: 'One' }, undefined],
	],
};

function areOfOneFirm(one: Fields, other: Fields): boolean {
	const groups = [one, other].map(({ email }) => (email?.includes('@') ? mailGroupOf(email) : undefined));
	return groups[0] === groups[1] || lettersOf(one.clinic) === lettersOf(other.clinic);
}

const lettersOf = (text = '') => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
