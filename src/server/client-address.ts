/**
 * The client's address behind `hops` proxies of ours, each of which appends the address it was called from to `X-Forwarded-For`.
 * What stands further left was written by the client and proves nothing.
 *
 * @param caller where the connection comes from, if the host tells it
 */
export function clientAddress(
	caller: string | undefined,
	forwardedFor: string | null | undefined,
	hops: number,
): string | undefined {
	if (hops === 0) return caller;
	const path = (forwardedFor ?? '').split(',').flatMap((address) => withoutPort(address.trim()) || []);
	return path.at(-hops) ?? path[0] ?? caller;
}

/** Some proxies write the port too, as in `203.0.113.9:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (address: string) => address.replace(/^(\d+(?:\.\d+){3}):\d+$|^\[([\da-f:.]+)\](?::\d+)?$/i, '$1$2');
