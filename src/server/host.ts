import type { Files } from './files.ts';

/** What a host knows and the request does not say. */
export interface Host {
	/** Keeps the process awake for work after the answer. Without it the answer waits for that work. */
	waitUntil?: ((work: Promise<unknown>) => void) | undefined;
	/** The URL of the host's database for us. `LEAD_STORE` wins if it is set. */
	database?: string | undefined;
	/** Prints the lines of the log, if the process has no standard output of its own. */
	print?: (line: string) => void;
	/** Whether anybody can call the function at its own address, past the proxies in front of it. */
	hasOwnAddress?: boolean;
	/** Answers requests for other paths than `/api/*`, which most hosts answer themselves. */
	files?: Files;
	/** Whether only the request that opened a connection may use it. */
	tiesConnections?: boolean;
}
