import { ContentError, mistakeText } from './mistake.ts';
import type { Service } from './schema.ts';

/** The conditions that prose may depend on, each with its states. */
export const states = { oauth: ['planned', 'live'], keys: ['none', 'issued'] } as const;

/** The current state of each condition. */
export type States = { [Name in keyof typeof states]: (typeof states)[Name][number] };

export const statesOf = ({ oauth, keys }: Pick<Service, 'oauth' | 'keys'>): States => ({ oauth: oauth.state, keys });

/**
 * Keeps the Markdown between `<!-- oauth: planned -->` and `<!-- /oauth -->` only if OAuth is in that state.
 *
 * @param file the file with the Markdown, for the message
 * @throws {ContentError} a mark has a mistake
 */
export function filterByState(text: string, present: States, file: string): string {
	const stated = text.replace(blocks, (whole, name: keyof States, state: string, block: string) => {
		// Its own end is missing: it reaches to that of another block.
		if (anyMark.test(block)) return whole;
		return present[name] === state ? `\n\n${block}\n\n` : '\n\n';
	});
	const mark = anyMark.exec(stated);
	// Two adjacent blocks leave empty lines twice.
	if (mark === null) return stated.replace(/\n{3,}/g, '\n\n');
	const wanted = marks.map((mark) => `<!-- ${mark} -->`).join(', ');
	throw new ContentError([
		mistakeText(file, { found: mark[0], wanted: `a mark such as ${wanted}, and after its text the end, such as <!-- /keys -->` }),
	]);
}

const marks = Object.entries(states).flatMap(([name, all]) => all.map((state) => `${name}: ${state}`));
/** A mark, or a comment that may be meant for one: it would be published. */
const anyMark = /<!.*?(?:>|$)/m;
const blocks = new RegExp(`\\n*<!-- (?=(?:${marks.join('|')}) -->)(\\w+): (\\w+) -->\\s*([\\s\\S]*?)\\s*<!-- /\\1 -->\\n*`, 'g');
