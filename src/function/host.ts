import type { Answer, FileAnswer } from '../http/answer.ts';
import type { FileRequest } from '../server/files/file-answer.ts';

/** Facts that the host knows and the request does not say. */
export interface Host {
	/** The client's address, if the host tells it. */
	caller?: string | null | undefined;
	/** Keeps the process awake for work after the answer. Without it the answer waits for that work. */
	waitUntil?: ((work: Promise<unknown>) => void) | undefined;
	/** The URL of the host's database for us. `LEAD_STORE` wins if it is set. */
	database?: string | undefined;
	/** Prints the lines of the log, if the process has no standard output of its own. */
	print?: (line: string) => void;
	/** Whether anybody can call the function at its own address, past the proxies in front of it. */
	hasOwnAddress?: boolean;
	/** Answers requests for other paths than `/api/*`, which most hosts answer themselves. */
	files?: (request: FileRequest, path: string) => Answer | FileAnswer | Promise<Answer | FileAnswer>;
	/** Whether only the request that opened a connection may use it. */
	tiesConnections?: boolean;
}

/**
 * Returns the client's address from the argument that Bun and Deno pass beside a request: a server to ask, or the connection's
 * address. Other hosts pass something else, or nothing.
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
