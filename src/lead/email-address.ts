import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * One address that can be answered, `local@domain`, and nothing that a mail header could read as more: before the @ words of
 * `atext` between dots (RFC 5322 section 3.2.3), behind it a DNS host, whose labels have at most 63 characters each and whose
 * last label is no number (RFC 1123 section 2.1). The pattern is published, and the form uses it: it means the same with the
 * flags `u` and `v` and without them, and uses nothing that only some engines know, such as lookahead.
 */
export const addressPattern =
	/^[!#-'*+\-\/0-9=?A-Z^-~]{1,64}(?:\.[!#-'*+\-\/0-9=?A-Z^-~]{1,63})*@(?:[A-Za-z0-9](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9\-]{0,61}[A-Za-z0-9]$/v;

/** A local part over its limit (RFC 5321 section 4.5.3.1.1). The other pattern cannot limit words and dots together. */
export const longLocalPart = /^[^@]{65}/v;

/** Returns whether a text is one address, in ASCII, that can be answered. */
export const isAddress = (text: string): boolean => addressPattern.test(text) && !longLocalPart.test(text);

/** A domain with letters beyond ASCII. No other signs: some of them would end the host where it is read as part of a URL. */
const international =
	/^([^@]*@)(?=.*\P{ASCII})((?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}\-]*[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}\p{M}\-]+)$/v;

/** Returns an address as it is kept: with an international domain in ASCII (RFC 5891), and otherwise unchanged. */
export function withAsciiDomain(address: string): string {
	const [, local = '', domain = ''] = international.exec(address) ?? [];
	const ascii = domainToASCII(domain);
	return ascii === '' ? address : local + ascii;
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
export const normalizeAddress = (address: string): string => withAsciiDomain(address.trim().normalize('NFC').toLowerCase());

/** Returns the domain of an address, as it is written. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Returns the link that writes to an address (RFC 6068 section 2). */
export const mailto = (address: string): string => `mailto:${address.split('@').map(encodeURIComponent).join('@')}`;
