import { optionalFacts } from './facts.ts';
import { ContentError, mistakeText, suggestionFor } from './mistake.ts';
import type { Service } from './schema.ts';

/**
 * Returns the text of one fact, or an empty text for an absent optional one: MDX also renders what `<When>` hides.
 *
 * @param file the file that names it, for the message
 * @throws {ContentError} no fact has this name
 */
export function fact(facts: Record<string, string>, name: string, file: string): string {
	const value = facts[name];
	if (value !== undefined || name in optionalFacts) return value ?? '';
	throw new ContentError([mistakeText(file, { found: `the fact ${name}`, wanted: suggestionFor(name, Object.keys(facts)) })]);
}

/**
 * Replaces each `{{name}}` by its fact.
 *
 * @throws {ContentError} as {@link fact}
 */
export function fillFacts(text: string, facts: Record<string, string>, file: string): string {
	return text.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (_, name: string) => fact(facts, name, file));
}

/** A fact in a block of code. The double braces of its own language have spaces in them. */
export const factInCode = /\{\{([^{}\s]+)\}\}/g;

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
