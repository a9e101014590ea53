import { mailGroupOf } from '../mail-provider.ts';
import { fold } from './names.ts';
import type { Fields, Signal } from './signal.ts';
import { areAlike } from './traits.ts';

const message = 'We fund small firms at once. See how much you qualify for, without obligation.';

/**
 * The same message, but for a few words, as a few days ago from somebody else. People of one firm write alike; so do visitors of a
 * trade fair, but from a domain that is spelt like their clinic.
 */
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
	look({ lead, alike }) {
		if (alike === undefined) return undefined;
		if (hasOwnDomain(lead)) return false;
		return alike.some((other) => !hasOwnDomain(other) && !areOfOneFirm(lead, other) && areAlike(lead, other)) && 'strong';
	},
	cases: [
		[{ email: 'a@gmail.com', clinic: 'One', message }, 'strong', { alike: [{ email: 'b@two.example', clinic: 'Seo', message }] }],
		[
			{ email: 'a@one.example', clinic: 'Practice One', message },
			false,
			{ alike: [{ email: 'b@gmail.com', clinic: 'Two', message }] },
		],
		[
			{ email: 'a@x.example', clinic: 'One', message },
			false,
			{ alike: [{ email: 'b@x.example', clinic: 'One, branch', message }] },
		],
		[{ email: 'a@gmail.com', clinic: 'One', message }, false, { alike: [{ email: 'b@gmail.com', clinic: 'ONE', message }] }],
		[
			{ email: 'a@gmail.com', clinic: 'One', message },
			false,
			{ alike: [{ email: 'b@web.de', clinic: 'Two', message: 'Something else that is long enough.' }] },
		],
		[{ email: 'a@one.example', clinic: 'One' }, false, { alike: [] }],
		[{ email: 'a@one.example', clinic: 'One' }, undefined],
	],
};

/** Returns whether a sender's mail domain is spelt like the clinic or the name, or cannot be compared because they are in another script. */
function hasOwnDomain({ email = '', name = '', clinic = '' }: Fields): boolean {
	if (!email.includes('@') || mailGroupOf(email).includes('@')) return false;
	const domain = email
		.slice(email.lastIndexOf('@') + 1)
		.toLowerCase()
		.replace(/[^a-z]/g, '');
	const words = fold(`${clinic} ${name}`.slice(0, 400)).match(/[a-z]{3,}/g) ?? [];
	return words.length === 0 || words.some((word) => domain.includes(word));
}

function areOfOneFirm(one: Fields, other: Fields): boolean {
	const groups = [one, other].map(({ email }) => (email?.includes('@') ? mailGroupOf(email) : undefined));
	return groups[0] === groups[1] || lettersOf(one.clinic) === lettersOf(other.clinic);
}

const lettersOf = (text = '') =>
	text
		.slice(0, 200)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, '');
