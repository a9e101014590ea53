import type { KeyObject } from 'node:crypto';
import { ownHosts } from '../facts/load.ts';
import { keyedHash, mailGroupOf } from '../lead/email-address.ts';
import type { Fields } from '../lead/judgement.ts';
import { isAtDomainOf, isShared, spellsHost, webAddressesIn } from './web-address.ts';

/** In letters: shorter messages are not compared, because people write the same by chance. */
const SHORTEST = 60;
/** The most links of a lead that are remembered, or looked up. */
const LINKS = 10;

/** Returns a keyed hash of a message without what robots vary: case, digits, signs, links and the greeting. Undefined if it is short. */
export function fingerprintOf(secret: KeyObject, { message = '' }: Fields): string | undefined {
	const letters = message
		.slice(0, 5000)
		// They are no letters, and `normalize` takes quadratic time over many in a row.
		.replace(/\p{M}+/gu, '')
		.normalize('NFKC')
		// One letter may have become eighteen.
		.slice(0, 5000)
		.toLowerCase()
		.replace(/(?:https?:\/\/|(?<![a-z\d-])[a-z\d-]{1,63}\.[a-z]{2,9}\/)\S*/g, ' ')
		.replace(/^[^\n,.!:;]{0,40}[\n,!:;]/, '')
		.replace(/[^\p{L}]+/gu, '');
	return letters.length < SHORTEST ? undefined : keyedHash(secret, 'message', letters);
}

/** Returns what the senders of one firm share: the mail domain or, at a mail provider, the mailbox. */
export const senderOf = ({ email = '' }: Fields) => (email.includes('@') ? mailGroupOf(email) : undefined);

/** Returns what a lead is known by beside its message: its sender, and the hosts of its links. Anybody may name ours. */
export function marksOf(lead: Fields): string[] {
	const { name, clinic, message } = lead;
	const hosts = [name, clinic, message].flatMap((text = '') => webAddressesIn(text)).map(({ host }) => host);
	const all = [senderOf(lead) ?? [], hosts.filter((host) => !isShared(host))].flat();
	const marks = [...new Set(all)].slice(0, LINKS);
	return marks.filter((mark) => !ownHosts.some((own) => `.${mark}`.endsWith(`.${own}`)));
}

/** Returns the traits to remember of a lead: keyed hashes of its message, of its sender, and of each of its {@link marksOf}. */
export const traitsToLearn = (secret: KeyObject, lead: Fields): string[] =>
	traitsWith(secret, lead, (mark) => (mark === senderOf(lead) ? ['sender', 'mark'] : ['mark']));

/** Returns the traits by which a lead is known again. The domain of sender or clinic is known only as a sender, not as what others link to. */
export const traitsToRecall = (secret: KeyObject, lead: Fields): string[] =>
	traitsWith(secret, lead, (mark) => {
		const { email, name = '', clinic = '' } = lead;
		const isOwn = mark === senderOf(lead) || isAtDomainOf(mark, email) || spellsHost(mark, `${name} ${clinic}`);
		return [isOwn ? 'sender' : 'mark'];
	});

const traitsWith = (secret: KeyObject, lead: Fields, usesOf: (mark: string) => string[]) => [
	...[fingerprintOf(secret, lead)].filter((hash) => hash !== undefined),
	...marksOf(lead).flatMap((mark) => usesOf(mark).map((use) => keyedHash(secret, use, mark))),
];
