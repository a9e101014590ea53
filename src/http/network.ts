import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** The ranges of addresses that nobody reaches from the internet. */
const privateRanges = new Set<string>(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Whether an address is of this machine or of a private network. */
export const isPrivateAddress = (address: string) => isIP(address) > 0 && privateRanges.has(parsed(address).range());

/** An IP address without its zone (RFC 4007 section 11): a link-local one names the interface, in characters that the parser may not know. */
const parsed = (address: string) => ipaddr.process(address.split('%', 1)[0]!);

/**
 * The networks that an IP address is counted by, the narrowest first: an IPv4 address alone, or its IPv6 network of 64 bits, whose
 * other addresses one client may have as well (RFC 4291 section 2.5.1), and the site of 48 bits, which may have 65,536 of these
 * (RFC 6177 section 2). All that is no IP address is counted as one.
 */
export function networksOf(address: string): string[] {
	if (isIP(address) === 0) return ['unknown'];
	const ip = parsed(address);
	if (!(ip instanceof ipaddr.IPv6)) return [ip.toString()];
	return [4, 3].map((parts) => ip.parts.slice(0, parts).join(':'));
}
