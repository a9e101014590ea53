import { ContentError, told } from './mistake.ts';
import type { Service } from './schema.ts';

/** What prose may depend on, with the states that each may be in. */
export const states = { oauth: ['planned', 'live'], keys: ['none', 'issued'] } as const;

/** What is the case now. */
export type States = { [Name in keyof typeof states]: (typeof states)[Name][number] };

export const statesOf = ({ oauth, keys }: Pick<Service, 'oauth' | 'keys'>): States => ({ oauth: oauth.state, keys });

/**
 * Markdown in the present states: what stands between `<!-- oauth: planned -->` and `<!-- /oauth -->` is kept in that state only.
 *
 * @param file where it stands, for the message
 * @throws {ContentError} a mark is not as it must be
 */
export function inStates(text: string, present: States, file: string): string {
	const stated = text.replace(blocks, (_, name: keyof States, state: string, block: string) =>
		present[name] === state ? `\n\n${block}\n\n` : '\n\n',
	);
	const mark = new RegExp(`<!--[^>]*\\b(${names.join('|')})\\b.*?-->`).exec(stated);
	// Two blocks beside each other have left room twice.
	if (mark === null) return stated.replace(/\n{3,}/g, '\n\n');
	const name = mark[1] as keyof States;
	const wanted = states[name].map((state) => `<!-- ${name}: ${state} -->`).join(' or ');
	throw new ContentError([told(file, { found: mark[0], wanted: `${wanted}, and after it <!-- /${name} -->` })]);
}

const names = Object.keys(states);
const marks = Object.entries(states).flatMap(([name, all]) => all.map((state) => `${name}: ${state}`));
const blocks = new RegExp(`\\n*<!-- (?=${marks.join('|')})(\\w+): (\\w+) -->\\s*([\\s\\S]*?)\\s*<!-- /\\1 -->\\n*`, 'g');
