import { paths } from '../../../src/facts/links.ts';

/** With its origin. */
export type RunningHost = AsyncDisposable & { url: string };

/** A runtime that the build supports, run on this machine by its own tools. */
export interface Host {
	/** Its name in `handbook/hosts.md`. */
	name: string;
	/** Says whether it serves the files too, or only `/api/`. */
	serves: 'everything' | 'operations';
	/** Starts the host with these settings only. */
	start(settings: Record<string, string>): Promise<RunningHost>;
	/** The header in which the host's network names the client. The network overwrites it; the tools on this machine do not. */
	trusted?: string;
	/** What it does otherwise than other hosts. `handbook/hosts.md` has it too. */
	otherwise?: Partial<typeof usual>;
}

/** The behaviour of every host, for each point in which some hosts differ. */
export const usual = {
	/** The answer to a page's address with a trailing slash. */
	slash: `308 ${paths.contact}`,
	/** The answer to a page's address with `.html` at the end. */
	html: '404',
	/** The answer to POST at a page's address. */
	post: '405 GET, HEAD',
	/** The media type of a page requested in Markdown. */
	markdown: 'text/markdown',
};
