import { isIP } from 'node:net';

/**
 * The client's address behind `hops` proxies of ours, each of which appends the address it was called from to `X-Forwarded-For`.
 * Addresses further left were written by the client and prove nothing. Where a proxy wrote no address, such as `unknown` or
 * `_hidden` (RFC 7239 section 6), it is the caller's, or the word `unknown`: all such clients are counted as one.
 *
 * @param caller where the connection comes from, if the host tells it
 * @param untold called where a proxy wrote no address
 */
export function clientAddress(
	caller: string | undefined,
	forwardedFor: string | null | undefined,
	hops: number,
	untold: () => void,
): string | undefined {
	if (hops === 0 || !forwardedFor) return caller;
	const path = forwardedFor.split(',');
	const address = withoutPort((path.at(-hops) ?? path[0]!).trim());
	if (isIP(address) > 0) return address;
	untold();
	return caller ?? 'unknown';
}

/** Why a limit counts many clients as one. */
export const UNTOLD = 'X-Forwarded-For has no address where TRUST_PROXY looks for one: clients share the limit of their proxy.';

/** Some proxies write the port too, as in `203.0.113.9:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (address: string) => address.replace(/^(\d+(?:\.\d+){3}):\d+$|^\[([\da-f:.]+)\](?::\d+)?$/i, '$1$2');
