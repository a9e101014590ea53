import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** The longest that a delivery waits for a lookup. */
const PATIENCE_MS = 3000;

/** The last lookups by domain: every channel asks about the same lead. */
const lookups = new LRUCache<string, Promise<boolean>>({
	max: 1000,
	ttl: 10 * 60_000,
	memoMethod: (domain) => Promise.race([lookUp(domain).catch(() => false), wait(PATIENCE_MS, false, { ref: false })]),
});

/** Returns whether a domain certainly takes no mail. Never rejects: it is not certain if a lookup fails, or takes longer than {@link PATIENCE_MS}. */
export const takesNoMail = (domain: string): Promise<boolean> => lookups.memo(domain);

/** Looks up who takes mail for a domain: its exchanges or, without any, itself (RFC 5321 section 5.1). Rejects if that cannot be known. */
async function lookUp(domain: string): Promise<boolean> {
	// Only here, because a host may have no such module.
	const { default: dns } = await import('node:dns/promises');
	const exchanges = await allOf(dns.resolveMx(domain));
	// An exchange without a name is a null MX (RFC 7505).
	if (exchanges.some(({ exchange }) => exchange !== '')) return false;
	const addresses = exchanges.length > 0 ? [] : await Promise.all([allOf(dns.resolve4(domain)), allOf(dns.resolve6(domain))]);
	// Where no name of the internet is known, this one is no exception.
	return addresses.flat().length === 0 && (await dns.resolveMx('gmail.com')).length > 0;
}

/** Returns the records of a lookup: none if the name has none, or does not exist. */
const allOf = <Found>(lookup: Promise<Found[]>): Promise<Found[]> =>
	lookup.catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return [];
		throw error;
	});
