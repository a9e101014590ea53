import { domainOf } from '../email-address.ts';
import { mailGroupOf } from '../mail-provider.ts';
import type { Fields, Signal } from './signal.ts';
import { latinWordsOf, splitWords } from './spelling.ts';
import { areAlike } from './traits.ts';

/** The message of the cases. */
const message = 'We fund small firms at once. See how much you qualify for, without obligation.';

/**
 * Somebody else has sent the same message, but for a few words, within three days. People of one firm do not count, nor do senders
 * whose mail domain is spelt like their clinic: many visitors of a trade fair send what its organiser worded.
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
		const isFromElsewhere = (other: Fields) => !hasOwnDomain(other) && !areOfOneFirm(lead, other) && areAlike(lead, other);
		return !hasOwnDomain(lead) && alike.some(isFromElsewhere) && 'strong';
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
		[{ email: 'a@abx.example', clinic: 'Ab Practice', message }, 'strong', { alike: [{ email: 'b@gmail.com', message }] }],
		[{ email: 'a@abx.example', clinic: 'عيادة', message }, false, { alike: [{ email: 'b@gmail.com', message }] }],
		[{ email: 'a@one.example', clinic: 'One' }, false, { alike: [] }],
		[{ email: 'a@one.example', clinic: 'One' }, undefined],
	],
};

/** Returns whether a sender's domain, if no provider's, holds a word of the clinic's or sender's name, or neither has a Latin word to compare. */
function hasOwnDomain({ email = '', name = '', clinic = '' }: Fields): boolean {
	const isProviders = !email.includes('@') || mailGroupOf(email).includes('@');
	if (isProviders) return false;
	const domain = domainOf(email)
		.toLowerCase()
		.replace(/[^a-z]/g, '');
	const words = latinWordsOf(`${clinic} ${name}`).filter((word) => word.length > 2);
	return words.length === 0 || words.some((word) => domain.includes(word));
}

/** Returns whether two leads have the same mail domain, mailbox or clinic. */
function areOfOneFirm(one: Fields, other: Fields): boolean {
	const [group, otherGroup] = [one, other].map(({ email }) => (email?.includes('@') ? mailGroupOf(email) : undefined));
	return group === otherGroup || spellingOf(one.clinic) === spellingOf(other.clinic);
}

const spellingOf = (text = '') => splitWords(text.slice(0, 200)).join('');
