import type { OtherAnswers } from './expected.ts';

export interface RunningHost extends AsyncDisposable {
	/** Its origin. */
	url: string;
}

/** A runtime that the build supports, run on this machine by its own tools. */
export interface Host {
	/** Its name in the table of `src/hosts/README.md`. */
	name: string;
	/** Says whether it serves the files too, or only `/api/`. */
	serves: 'everything' | 'operations';
	/** Starts the host with these settings only. */
	start(settings: Record<string, string>): Promise<RunningHost>;
	/** The header in which the host's network names the client. The network overwrites it; the tools on this machine do not. */
	trusted?: string;
	/** Its differences from other hosts. */
	otherwise?: OtherAnswers;
}
