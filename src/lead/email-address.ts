import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * One address that can be answered, `local@domain`, and nothing that a mail header could read as more: before the @ words of `atext`
 * between dots (RFC 5322 section 3.2.3), behind it a host of the DNS, whose labels have at most 63 characters each and whose last is
 * no number (RFC 1123 section 2.1). Published, and the form's own: it means the same by the flags `u` and `v` and without them, and
 * has nothing that only some engines know, such as looking ahead.
 */
export const addressPattern =
	/^[!#-'*+\-\/0-9=?A-Z^-~]{1,64}(?:\.[!#-'*+\-\/0-9=?A-Z^-~]{1,63})*@(?:[A-Za-z0-9](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9\-]{0,61}[A-Za-z0-9]$/v;

/** More before the @ than there may be (RFC 5321 section 4.5.3.1.1): of dots and words together the other could not say it. */
export const longLocalPart = /^[^@]{65}/v;

/** Is this one address, in ASCII, that can be answered? */
export const isAddress = (text: string): boolean => addressPattern.test(text) && !longLocalPart.test(text);

/** A domain with letters beyond ASCII. Of what is no letter, some would end a host where it is read as a URL's. */
const international =
	/^([^@]*@)(?=.*\P{ASCII})((?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}\-]*[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}\p{M}\-]+)$/v;

/** An address as it is kept: a domain in its international form in ASCII (RFC 5891). All else stays as it is. */
export function withAsciiDomain(address: string): string {
	const [, local = '', domain = ''] = international.exec(address) ?? [];
	const ascii = domainToASCII(domain);
	return ascii === '' ? address : local + ascii;
}

/** The same as people write it, where the domain is that of other letters. */
export function withOwnLetters(address: string): string {
	const at = address.lastIndexOf('@') + 1;
	const domain = address.slice(at).toLowerCase();
	// No other label has letters of its own (RFC 5890 section 2.3.2.1), and to ask takes a hundredth of a lead.
	if (!domain.includes('xn--')) return address;
	const letters = domainToUnicode(domain);
	return letters !== domain && domainToASCII(letters) === domain ? address.slice(0, at) + letters : address;
}

/** An address as addresses are compared: as it is kept, without regard to case. */
export const comparable = (address: string): string => withAsciiDomain(address.trim().normalize('NFC').toLowerCase());

/** The link that writes to an address (RFC 6068 section 2). */
export const mailto = (address: string): string => `mailto:${address.split('@').map(encodeURIComponent).join('@')}`;
