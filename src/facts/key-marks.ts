import { ContentError, mistakeText } from './mistake.ts';
import type { Service } from './schema.ts';

/**
 * Keeps the Markdown between `<!-- keys: issued -->` and `<!-- /keys -->` only where API keys are issued, and that of
 * `<!-- keys: none -->` only where none are.
 *
 * @param file the file with the Markdown, for the message
 * @throws {ContentError} a mark has a mistake
 */
export function filterByKeys(text: string, keys: Service['keys'], file: string): string {
	const filtered = text.replace(blocks, (whole, wanted: string, block: string) => {
		// Its own end is missing: it reaches to that of another block.
		if (anyMark.test(block)) return whole;
		return wanted === keys ? `\n\n${block}\n\n` : '\n\n';
	});
	const mark = anyMark.exec(filtered);
	// Two adjacent blocks leave empty lines twice.
	if (mark === null) return filtered.replace(/\n{3,}/g, '\n\n');
	const wanted = 'a mark such as <!-- keys: none -->, <!-- keys: issued -->, and after its text the end, <!-- /keys -->';
	throw new ContentError([mistakeText(file, { found: mark[0], wanted })]);
}

/** A mark, or a comment that may be meant for one: it would be published. */
const anyMark = /<!.*?(?:>|$)/m;
const blocks = /\n*<!-- keys: (none|issued) -->\s*([\s\S]*?)\s*<!-- \/keys -->\n*/g;
