import { paths } from '../../../src/facts/links.ts';

export interface RunningHost extends AsyncDisposable {
	/** Its origin. */
	url: string;
}

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
	/** Its differences from other hosts. */
	otherwise?: OtherAnswers;
}

/** The behaviour of every host, for each point in which some hosts differ. */
const expected = {
	/** The answer to a page's address with a trailing slash. */
	slash: `308 ${paths.contact}`,
	/** The answer to a page's address with `.html` at the end. */
	html: '404',
	/** The answer to POST at a page's address. */
	post: '405 GET, HEAD',
	/** The media type of a page requested in Markdown. */
	markdown: 'text/markdown',
};

type Expected = typeof expected;
export type Point = keyof Expected;

/** A host's other behaviour, with its reason. `handbook/hosts.md` has it too. */
type OtherAnswers = { [P in Point]?: { instead: Expected[P]; because: string } };

/** Returns a host's behaviour in one point. */
export const expectedOf = <P extends Point>({ otherwise }: { otherwise?: OtherAnswers }, point: P): Expected[P] =>
	otherwise?.[point]?.instead ?? expected[point];

/** Returns a suffix for the name of a test of that point. */
export function insteadOf({ otherwise }: { otherwise?: OtherAnswers }, point: Point): string {
	const because = otherwise?.[point]?.because;
	return because === undefined ? '' : `, but for this: ${because}`;
}
