/**
 * The client's address behind `hops` proxies of ours, each of which appends the address it was called from to `X-Forwarded-For`.
 * What stands further left was written by the client and proves nothing.
 *
 * @param caller who called us, as far as whoever runs us says it
 */
export function clientAddress(
	caller: string | undefined,
	forwardedFor: string | null | undefined,
	hops: number,
): string | undefined {
	if (hops === 0) return caller;
	const path = (forwardedFor ?? '').split(',').flatMap((address) => address.trim() || []);
	return path.at(-hops) ?? path[0] ?? caller;
}
