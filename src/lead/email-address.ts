import { domainToASCII } from 'node:url';

/**
 * One address, `local@domain`, and nothing that a mail header could read as more: no quoted local part, comment, address literal,
 * list or group (RFC 5322 section 3.4.1). Dots may stand anywhere before the @: some providers have given out such addresses.
 * Published, so without what only some engines of regular expressions know.
 */
export const plainAddress =
	/^[A-Za-z0-9!#$%&'*+./=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z0-9][A-Za-z0-9-]*[A-Za-z0-9]$/;

/** The same with letters of any script (RFC 6531). */
const international =
	/^[^\s@"(),:;<>[\]\\]{1,64}@((?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}\p{M}-]{2,})$/u;

/** Is this one address, plain or in its international form, whose domain can be written in the DNS (RFC 5890)? */
export function isAddress(text: string): boolean {
	if (plainAddress.test(text)) return true;
	const domain = international.exec(text)?.[1];
	return domain !== undefined && plainAddress.test(`a@${domainToASCII(domain)}`);
}

/** An address as addresses are compared: without regard to case, and to how its letters are composed. */
export const comparable = (email: string): string => email.trim().normalize('NFC').toLowerCase();
