import type { KeyObject } from 'node:crypto';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { ownHosts } from '../facts/load.ts';
import { domainOf, keyedHash, mailboxOf, mailGroupOf } from '../lead/email-address.ts';
import type { Fields } from '../lead/judgement.ts';
import { isAtDomainOf, isShared, spellsHost, webAddressesIn } from './web-address.ts';

/** In letters: shorter messages are not compared, because people write the same by chance. */
const SHORTEST = 60;
/** The most features of a lead that are remembered, or looked up: its sender, and hosts of links. */
const MOST_FEATURES = 10;

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

/** Made when it is first needed: it takes a millisecond. */
let disposable: Set<string> | undefined;

/** Returns the domain of an address or the one above it, if a list of services for disposable addresses has it. */
export function disposableDomainOf(email: string): string | undefined {
	disposable ??= disposableEmailBlocklistSet();
	const domain = domainOf(email).slice(0, 254).toLowerCase();
	return [domain, domain.split('.').slice(-2).join('.')].find((name) => disposable!.has(name));
}

/** Returns what the senders of one firm share: the mail domain or, where strangers have mailboxes, the mailbox. */
export function senderOf({ email = '' }: Fields): string | undefined {
	if (!email.includes('@')) return undefined;
	return disposableDomainOf(email) ? mailboxOf(email) : mailGroupOf(email);
}

/** Returns what a lead is known by beside its message: its sender, and the hosts of its links. Anybody may name ours. */
export function featuresOf(lead: Fields): string[] {
	const { name, clinic, message } = lead;
	const hosts = [name, clinic, message].flatMap((text = '') => webAddressesIn(text)).map(({ host }) => host);
	const all = [senderOf(lead) ?? [], hosts.filter((host) => !isShared(host))].flat();
	const features = [...new Set(all)].slice(0, MOST_FEATURES);
	return features.filter((feature) => !ownHosts.some((own) => `.${feature}`.endsWith(`.${own}`)));
}

/** The features that other leads may share with one: its message, as a hash; its sender; the hosts that they link to, a sender's domain among them. */
export type Likeness = Record<'message' | 'sender' | 'link', string[]>;

/** Returns what is learnt of a lead that somebody judges. A short message is not. */
export function likenessOf(secret: KeyObject, lead: Fields): Likeness {
	const features = featuresOf(lead);
	return {
		message: messageHashes(secret, lead),
		sender: features.filter((feature) => feature === senderOf(lead)),
		link: features.filter((feature) => !feature.includes('@')),
	};
}

const messageHashes = (secret: KeyObject, lead: Fields) => [fingerprintOf(secret, lead)].filter((hash) => hash !== undefined);

const hashesOf = (secret: KeyObject, { message, sender, link }: Likeness): string[] => [
	...message,
	...sender.map((feature) => keyedHash(secret, 'sender', feature)),
	...link.map((feature) => keyedHash(secret, 'mark', feature)),
];

/** Returns the traits to remember of a lead: keyed hashes of its {@link likenessOf}. */
export const traitsToLearn = (secret: KeyObject, lead: Fields) => hashesOf(secret, likenessOf(secret, lead));

/** Returns the traits by which a lead is known again. The domain of sender or clinic is known only as a sender, not as what others link to. */
export function traitsToRecall(secret: KeyObject, lead: Fields): string[] {
	const { email, name = '', clinic = '' } = lead;
	const isOwn = (host: string) => host === senderOf(lead) || isAtDomainOf(host, email) || spellsHost(host, `${name} ${clinic}`);
	const { sender = [], link = [] } = Object.groupBy(featuresOf(lead), (feature) => (isOwn(feature) ? 'sender' : 'link'));
	return hashesOf(secret, { message: messageHashes(secret, lead), sender, link });
}
