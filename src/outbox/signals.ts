import type { Context, Fields, Judgement, SignalName } from '../lead/judgement.ts';
import { meantAddress } from '../lead/mail-providers.ts';
import { disposableDomainOf, senderOf } from './traits.ts';
import { hidesTarget, isAtDomainOf, spellsHost, splitWords, type WebAddress, webAddressesIn } from './web-address.ts';

/**
 * A rule that finds a reason to take a lead for spam. Returns how strong it is: one `certain` signal or two `strong` ones hold a lead,
 * any other marks it. `false`: it finds nothing; `undefined`: the lead lacks what it looks at. Takes microseconds, whatever the lead holds.
 */
export type Signal = (lead: Fields, context: Context) => 'weak' | 'strong' | 'certain' | false | undefined;

/** All signals. Each has cases in `tests/outbox/signals.test.ts`. */
export const signals: Record<SignalName, Signal> = {
	/** The field that people do not see was filled. Such a lead is held before it comes here: the row is for its name. */
	honeypot: ({ website }) => (website ? 'certain' : false),
	/** The operator marked a lead as spam that has a trait of this one. */
	trained: (_, { trained }) => trained && trained === 'spam' && 'certain',
	engine: (_, { engines }) =>
		engines?.includes('reject') ? 'strong' : engines?.some((said) => ['add header', 'rewrite subject'].includes(said)) && 'weak',
	/** A language model's word for a lead. It may be wrong, so it is weak: no such signal adds to what holds a lead. */
	'model-pitch': (_, { engines }) => engines?.includes('pitch') && 'weak',
	'model-spam': (_, { engines }) => engines?.includes('spam') && 'weak',
	'name-address': nameAddress,
	repeated,
	'random-letters': randomLetters,
	links,
	/** It came as a form without the hidden field, which our page always sends. */
	'other-form': (_, { form }) => form && 'weak',
	disposable,
};

const weights = { weak: 0, strong: 1, certain: 2 };

/** Judges a lead by all signals. @param mayHold false: the lead is only marked */
export function judge(lead: Fields, context: Context, mayHold: boolean): Judgement {
	const results = Object.entries(signals).map(([name, look]) => ({ name, strength: look(lead, context) }));
	const found = results.filter(({ strength }) => strength);
	const weight = found.reduce((sum, { strength }) => sum + weights[strength as keyof typeof weights], 0);
	// Cleared: the operator has said that a lead like this one is no spam.
	const held = mayHold && weight > 1 && context.trained !== 'clear';
	const verdict = held ? 'held' : found.length > 0 ? 'marked' : 'clear';
	return { verdict, signals: found.map(({ name }) => name) };
}

/**
 * A link or markup in place of a name. A link to the sender's mail domain does not count, nor does one that is spelt like the sender
 * or the clinic: people name their clinic this way. Brackets without a known tag are typography.
 */
function nameAddress(lead: Fields): ReturnType<Signal> {
	const [name, clinic] = [lead.name, lead.clinic].map((text = '') => text.slice(0, 500)) as [string, string];
	if (name + clinic === '') return undefined;
	// A bare host may be a brand: `CNET News.com`.
	const found = [name, clinic].flatMap(webAddressesIn).filter(({ isExplicit, path }) => isExplicit || path !== '');
	const foreign = found.filter((address) => !isOwn(address, { ...lead, name, clinic }));
	return (markup.test(name) || markup.test(clinic) || foreign.length > 0) && 'strong';
}

/** A tag with attributes, one that links or runs something, or one that is closed. */
const markup =
	/<(?:[a-z]{1,10}\s[^<>]{0,200}=|(?:br|img|script|iframe|h[1-6])[\s/>])|<\/[a-z][a-z\d]{0,9}\s*>|\[(?:url|link|img|email)[=\]]|\[\/[a-z]{1,6}\]/i;

/** Returns whether a web address in the name or the clinic is the sender's: by the mail domain, or by its spelling. */
function isOwn(address: WebAddress, { email, name = '', clinic = '' }: Fields): boolean {
	const { host, path } = address;
	// At most a language behind it: `/de/`.
	const isHome = path.length <= 4;
	const isInName = name.toLowerCase().includes(host);
	if (isAtDomainOf(host, email)) return isHome || !isInName;
	return isHome && !isInName && spellsHost(host, `${name} ${clinic}`);
}

/**
 * Somebody else has sent the same message within three days. People of one firm do not count, nor do senders whose mail domain is spelt
 * like their clinic: many visitors of a trade fair send what its organiser worded.
 */
function repeated(lead: Fields, { alike }: Context): ReturnType<Signal> {
	return alike && !hasOwnDomain(lead) && alike.some((other) => !hasOwnDomain(other) && !areOfOneFirm(lead, other)) && 'strong';
}

/** Returns whether a sender's domain, if no provider's, holds a word of the clinic's or sender's name, or neither has a Latin word to compare. */
function hasOwnDomain(lead: Fields): boolean {
	const sender = senderOf(lead);
	if (sender === undefined || sender.includes('@')) return false;
	const words = latinWordsOf(`${lead.clinic ?? ''} ${lead.name ?? ''}`).filter((word) => word.length > 2);
	return words.length === 0 || words.some((word) => sender.replace(/[^a-z]/g, '').includes(word));
}

const areOfOneFirm = (one: Fields, other: Fields): boolean =>
	senderOf(one) === senderOf(other) || spellingOf(one.clinic) === spellingOf(other.clinic);

const spellingOf = (text = '') => splitWords(text.slice(0, 200)).join('');

/**
 * Random words, such as `XkQzBvTrPlWs`, in two or more fields: in one a capital follows a small letter three times or more, in another
 * twice or more. A single such word may be a brand.
 */
function randomLetters({ name, clinic, country, message }: Fields): ReturnType<Signal> {
	const texts = [name, clinic, country, message].map((text = '') => text.slice(0, 2000).replace(/https?:\/\/\S+/g, ' '));
	const words = texts.map((text) => text.match(/[A-Za-z]{8,}/g) ?? []);
	if (words.flat().length === 0) return undefined;
	const odd = words.map((ofField) => ofField.filter((word) => countInnerCapitals(word) > 1)).filter(({ length }) => length > 0);
	const different = [...new Set(odd.flat())];
	return odd.length > 1 && different.length > 1 && different.some((word) => countInnerCapitals(word) > 2) && 'strong';
}

/** Counts capitals behind a small letter. Names of brands and people in the sets in `tests/outbox` have two at most. */
const countInnerCapitals = (letters: string) => letters.match(/[a-z](?=[A-Z])/g)?.length ?? 0;

/**
 * Any link in BBCode, or links to two hosts that are markup or hide where they lead, not counting the sender's own, which people paste
 * as markup. Ordinary links do not count: agencies, tenders and signatures have them.
 */
function links({ email, message = '' }: Fields): ReturnType<Signal> {
	const found = webAddressesIn(message);
	if (found.length === 0) return undefined;
	const odd = found.filter(({ host, isMarkup }) => (isMarkup || hidesTarget(host)) && !isAtDomainOf(host, email));
	return (new Set(odd.map(({ host }) => host)).size > 1 || /\[(?:url[=\]]|link=)/i.test(message)) && 'weak';
}

/** Listed, although people keep addresses there for years: a service that forwards mail, and one with ordinary mailboxes. */
const lasting = new Set(['opayq.com', 'punkass.com']);

/** An address at a service whose mailboxes last for minutes: no mistyped provider, and none that spells the sender's name, an alias that people keep. */
function disposable({ email = '', name = '', clinic = '' }: Fields): ReturnType<Signal> {
	if (!email.includes('@')) return undefined;
	const service = disposableDomainOf(email);
	const isDisposable = service !== undefined && !lasting.has(service) && !meantAddress(email);
	return isDisposable && !spells(email.split('@', 1)[0]!.slice(0, 64), `${name} ${clinic}`) && 'weak';
}

/** Returns the words of a name that an email address can spell: those in Latin letters. */
const latinWordsOf = (name: string) => splitWords(name.slice(0, 400)).flatMap((word) => word.match(/[a-z]+/g) ?? []);

/** Returns whether the local part of an email address holds a word of a person's or clinic's name, or begins with its initials. */
function spells(local: string, name: string): boolean {
	const letters = local.toLowerCase().replace(/[^a-z]/g, '');
	const words = latinWordsOf(name);
	const initials = words.map((word) => word[0]).join('');
	return (
		(initials.length > 2 && letters.startsWith(initials.slice(0, 3))) ||
		words.some((word) => (word.length > 2 && letters.includes(word)) || (word.length > 1 && letters.startsWith(word)))
	);
}
