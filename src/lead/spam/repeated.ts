import { domainOf } from '../email-address.ts';
import { mailGroupOf } from '../mail-provider.ts';
import type { Fields, Signal } from './signal.ts';
import { latinWordsOf, splitWords } from './spelling.ts';

/**
 * Somebody else has sent the same message within three days. People of one firm do not count, nor do senders whose mail domain is spelt
 * like their clinic: many visitors of a trade fair send what its organiser worded.
 */
export const repeated: Signal = (lead, { alike }) =>
	alike && !hasOwnDomain(lead) && alike.some((other) => !hasOwnDomain(other) && !areOfOneFirm(lead, other)) && 'strong';

/** Returns whether a sender's domain, if no provider's, holds a word of the clinic's or sender's name, or neither has a Latin word to compare. */
function hasOwnDomain({ email = '', name = '', clinic = '' }: Fields): boolean {
	if (!email.includes('@') || mailGroupOf(email).includes('@')) return false;
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
