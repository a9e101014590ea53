import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * One address that can be answered: a valid email address of the HTML standard (section 4.10.5.1.5), as browsers check it. Nothing
 * in it could be read as more in a mail header, where dots that RFC 5322 does not allow are quoted. It is published.
 */
export const addressPattern =
	/^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Returns the first visible character that cannot stand in its place, if a text has the form of one address. */
export function strayCharacterIn(text: string): string | undefined {
	const [local = '', domain, ...more] = text.split('@');
	if (domain === undefined || more.length > 0) return undefined;
	return (/[^\s\w.!#$%&'*+/=?^`{|}~-]\p{M}*/u.exec(local) ?? /[!-,/:-?[-`{-~]/.exec(domain))?.[0];
}

/** Returns an address as it is kept: repaired where it is clear what its writer meant, and with its domain in ASCII. */
export function cleanAddress(text: string): string {
	const halfWidth = text.replace(/[！-～]/g, (sign) => sign.normalize('NFKC')).replace(/[。｡]/g, '.');
	const whole = withoutEnds(halfWidth);
	const [, address = whole] = /^[^<>@]*<([^<>]*)>$/.exec(whole) ?? [];
	return withAsciiDomain(withoutEnds(address));
}

const withoutEnds = (address: string) => address.replace(/^(?:\s|mailto:)+|(?<![\s.])[\s.]+$/gi, '');

/** A domain beyond ASCII. No other signs of ASCII: some would end the host where it is read as part of a URL. */
const INTERNATIONAL = /^([^@]*@)(?=.*\P{ASCII})((?:[A-Za-z0-9.\-]|\P{ASCII})+)$/v;

/** Converts an international domain (Unicode Technical Standard 46). Digits beyond ASCII could become an IP address. */
function withAsciiDomain(address: string): string {
	const [, local = '', domain = ''] = INTERNATIONAL.exec(address) ?? [];
	const ascii = domainToASCII(domain);
	return ascii === '' || isIP(ascii) ? address : local + ascii;
}

/** Returns an address as people write it: with an international domain in its own letters. */
export function withOwnLetters(address: string): string {
	const at = address.lastIndexOf('@') + 1;
	const domain = address.slice(at).toLowerCase();
	// No other label has letters of its own (RFC 5890 section 2.3.2.1), and asking takes a hundredth of a lead.
	if (!domain.includes('xn--')) return address;
	const letters = domainToUnicode(domain);
	return letters !== domain && domainToASCII(letters) === domain ? address.slice(0, at) + letters : address;
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
