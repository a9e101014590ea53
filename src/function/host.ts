/** What a host knows that a request does not say. */
export interface Host {
	/** The client's address, where the host tells it. */
	caller?: string | null | undefined;
	/** Keeps the process awake for work that goes on behind the answer. Without it the answer waits for that work. */
	waitUntil?: ((work: Promise<unknown>) => void) | undefined;
	/** Where the host has a database for us. `LEAD_STORE`, where it is set, wins. */
	database?: string | undefined;
	/** Takes the lines of the log where the process has no standard output of its own. */
	print?: (line: string) => void;
	/** Whether anybody can call the function at an address of its own, past the proxies in front of it. */
	hasOwnAddress?: boolean;
	/** Whether a connection is of no use to any request but the one that has opened it. */
	tiesConnections?: boolean;
}

/**
 * The client's address, of what Bun and Deno pass beside a request: a server to ask, and where the connection comes from.
 * Other hosts pass something else, or nothing.
 */
export function callerOf(request: Request, beside: unknown): string | undefined {
	const { requestIP, remoteAddr } = (beside ?? {}) as Beside;
	if (typeof requestIP === 'function') return requestIP.call(beside, request)?.address;
	return typeof remoteAddr?.hostname === 'string' ? remoteAddr.hostname : undefined;
}

interface Beside {
	requestIP?: (request: Request) => { address: string } | null;
	remoteAddr?: { hostname?: unknown };
}
