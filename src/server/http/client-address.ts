import { isIP } from 'node:net';

/**
 * Returns the client's address behind `hops` proxies of ours, each of which appends its caller's address to `X-Forwarded-For`.
 * The client wrote the addresses further left, so they prove nothing. If a proxy wrote no address, but for example `unknown` or
 * `_hidden` (RFC 7239 section 6), returns the caller's, or the word `unknown`: all such clients count as one.
 *
 * @param caller the address of the connection, if the host tells it
 * @param onMissing called if a proxy wrote no address
 */
export function clientAddress(
	caller: string | undefined,
	forwardedFor: string | null | undefined,
	hops: number,
	onMissing: () => void,
): string | undefined {
	if (hops === 0 || !forwardedFor) return caller;
	const path = forwardedFor.split(',');
	const address = withoutPort((path.at(-hops) ?? path[0]!).trim());
	if (isIP(address) > 0) return address;
	onMissing();
	return caller ?? 'unknown';
}

/** Explains why a limit counts many clients as one. */
export const NO_FORWARDED_ADDRESS =
	'X-Forwarded-For has no address where TRUST_PROXY looks for one: clients share the limit of their proxy.';

/** Some proxies write the port too, as in `203.0.113.9:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (address: string) => address.replace(/^(\d+(?:\.\d+){3}):\d+$|^\[([\da-f:.]+)\](?::\d+)?$/i, '$1$2');
