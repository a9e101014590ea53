import { paths } from '../../../src/facts/links.ts';

/** What every host does, in the points in which a host may do otherwise. */
const expected = {
	/** The answer to a page's address with a slash at the end. */
	slash: `308 ${paths.contact}`,
	/** The answer to a page's address with `.html` at the end. */
	html: '404',
	/** The answer to POST at a page's address. */
	post: '405 GET, HEAD',
	/** The media type of a page, asked for in Markdown. */
	markdown: 'text/markdown',
	/** The checks of the doctor that complain. */
	complaints: [] as string[],
};

type Expected = typeof expected;
export type Point = keyof Expected;

/** What a host does instead, and why: it stands in the tables of `src/adapter/hosts/README.md` too. */
export type OtherAnswers = { [P in Point]?: { instead: Expected[P]; because: string } };

/** What a host does, in one point. */
export const expectedOf = <P extends Point>({ otherwise }: { otherwise?: OtherAnswers }, point: P): Expected[P] =>
	otherwise?.[point]?.instead ?? expected[point];

/** What to add to the name of a test of that point. */
export function insteadOf({ otherwise }: { otherwise?: OtherAnswers }, point: Point): string {
	const because = otherwise?.[point]?.because;
	return because === undefined ? '' : `, but for this: ${because}`;
}
