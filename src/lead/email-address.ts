import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { isProvider } from './mail-providers.ts';

const LOCAL = "[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+";
const END = '(?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const LABEL = `[a-zA-Z0-9]${END}`;

/**
 * Matches a valid email address of the HTML standard (section 4.10.5.1.5), as browsers check it, also of a host on one’s own network.
 * In a mail header it is one address too, once dots that RFC 5322 does not allow are quoted.
 */
export const mailboxPattern = new RegExp(`^${LOCAL}@${LABEL}(?:\\.${LABEL})*$`);

/** Matches one of them that can be answered from anywhere: its domain has a dot, and its last part begins with a letter. It is published. */
export const addressPattern = new RegExp(`^${LOCAL}@(?:${LABEL}\\.)+[a-zA-Z]${END}$`);

/** Returns the first visible character that is not allowed in its place, if a text has the form of one address. */
export function strayCharacterIn(text: string): string | undefined {
	const [local = '', domain, ...more] = text.split('@');
	if (domain === undefined || more.length > 0) return undefined;
	return (/[^\s\w.!#$%&'*+/=?^`{|}~-]\p{M}*/u.exec(local) ?? /[!-,/:-?[-`{-~]/.exec(domain))?.[0];
}

/** Returns an address as it is kept: repaired where its writer's meaning is clear, and with its domain in ASCII. */
export function cleanAddress(text: string): string {
	const halfWidth = text.replace(/[！-～]/g, (sign) => sign.normalize('NFKC')).replace(/[。｡]/g, '.');
	const whole = withoutEnds(halfWidth);
	const [, address = whole] = /^[^<>@]*<([^<>]*)>$/.exec(whole) ?? [];
	return withAsciiDomain(withoutEnds(address));
}

const withoutEnds = (address: string) => address.replace(/^(?:\s|mailto:)+|(?<![\s.])[\s.]+$/gi, '');

/** Matches an address with a domain beyond ASCII. Other signs of ASCII could end the host where a URL has it. */
const INTERNATIONAL = /^([^@]*@)(?=.*\P{ASCII})((?:[A-Za-z0-9.\-]|\P{ASCII})+)$/v;

/** Converts an international domain (Unicode Technical Standard 46). Digits beyond ASCII could become an IP address. */
function withAsciiDomain(address: string): string {
	const [, local = '', domain = ''] = INTERNATIONAL.exec(address) ?? [];
	const ascii = domain && domainToASCII(domain);
	return ascii === '' || isIP(ascii) ? address : local + ascii;
}

/** Shows a domain beyond ASCII in both forms (RFC 3492): people know its letters, but those may look like others. */
export function addressText(address: string): string {
	const at = address.lastIndexOf('@') + 1;
	const domain = address.slice(at).toLowerCase();
	const letters = domainToUnicode(domain);
	if (letters === domain || domainToASCII(letters) !== domain) return address;
	return `${address.slice(0, at)}${letters} (${address.slice(at)})`;
}

/** Returns an address for comparison: as it is kept, in lower case. */
export const normalizeAddress = (address: string): string => cleanAddress(address.trim().normalize('NFC')).toLowerCase();

/** Returns the domain of an address, as it is written. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Returns the link that writes to an address (RFC 6068 section 2), with dots quoted that RFC 5322 section 3.2.3 does not allow. */
export function mailto(address: string): string {
	const [local = '', domain = ''] = address.split('@');
	return `mailto:${encodeURIComponent(/^\.|\.\.|\.$/.test(local) ? `"${local}"` : local)}@${encodeURIComponent(domain)}`;
}

/** Returns the mailbox behind an address, for comparing: many services ignore dots, and what follows a `+`. Two mailboxes may look like one. */
export function mailboxOf(address: string): string {
	const [local, domain] = address.toLowerCase().split('@') as [string, string];
	return `${local.replace(/\+.*$/, '').replaceAll('.', '')}@${domain === 'googlemail.com' ? 'gmail.com' : domain}`;
}

/** Returns what the senders of one firm share: the domain or, at a provider, the mailbox. */
export function mailGroupOf(address: string): string {
	const mailbox = mailboxOf(address);
	const domain = domainOf(mailbox);
	return isProvider(domain) ? mailbox : domain;
}

/**
 * Returns a hash that reveals nothing of the text. Only the secret can make it. `use` separates hashes for different purposes.
 * @param secret a key object: with a buffer the same hash takes six times as long
 */
export function keyedHash(secret: KeyObject, use: string, text: string): string {
	return createHmac('sha256', secret).update(`${use}\0${text}`).digest('base64url');
}

/** Returns whether a text has this keyed hash. */
export const isSigned = (sign: string, ...text: Parameters<typeof keyedHash>): boolean => isSame(sign, keyedHash(...text));

/** Compares hashes of texts, because they have the same length: the time that it takes tells nothing of the right one. */
export const isSame = (...texts: [given: string, wanted: string]): boolean =>
	timingSafeEqual(...(texts.map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]));
