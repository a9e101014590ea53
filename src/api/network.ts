import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** Address ranges that the internet cannot reach. */
const privateRanges = new Set<string>(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Returns whether an address belongs to this machine or to a private network. */
export const isPrivateAddress = (address: string) => isIP(address) > 0 && privateRanges.has(parsed(address).range());

/** Parses an IP address without its zone (RFC 4007 section 11): the name of an interface, which the parser may not accept. */
const parsed = (address: string) => ipaddr.process(address.split('%', 1)[0]!);

/**
 * Returns the networks that count an IP address, the narrowest first. For IPv4 that is the address itself. For IPv6 it is the
 * network of 64 bits, of which one client may have every address (RFC 4291 section 2.5.1), and the site of 48 bits, which may
 * have 65,536 such networks (RFC 6177 section 2). All texts that are no IP address count as one.
 */
export function networksOf(address: string): string[] {
	const version = isIP(address);
	if (version === 0) return ['unknown'];
	// The only form that it has: parsing it would take longer than counting.
	if (version === 4) return [address];
	const ip = parsed(address);
	if (!(ip instanceof ipaddr.IPv6)) return [ip.toString()];
	return [4, 3].map((parts) => ip.parts.slice(0, parts).join(':'));
}
