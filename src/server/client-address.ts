/**
 * The client's address behind `hops` proxies of ours, each of which appends the address it was called from to `X-Forwarded-For`.
 * What stands further left was written by the client and proves nothing.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | null | undefined, hops: number): string {
	if (hops === 0) return socketAddress;
	const path = [...(forwardedFor ?? '').split(',').map((address) => address.trim()), socketAddress].filter(Boolean);
	return path.at(-1 - hops) ?? path[0] ?? socketAddress;
}
