import type { OtherAnswers } from './expected.ts';

export interface RunningHost extends AsyncDisposable {
	/** Its origin. */
	url: string;
}

/** A runtime that the build is made for, as its own tools run it on this machine. */
export interface Host {
	/** As the table in `src/adapter/hosts/README.md` names it. */
	name: string;
	/** Whether it serves the files too, or `/api/` alone. */
	serves: 'everything' | 'operations';
	/** Starts it, with these settings and no others. */
	start(settings: Record<string, string>): Promise<RunningHost>;
	/** The header in which its network says who the client is: that writes it anew, and what runs here does not. */
	trusted?: string;
	/** What it does otherwise than the others. */
	otherwise?: OtherAnswers;
}
