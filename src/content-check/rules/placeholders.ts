import type { Mistake } from '../../facts/mistake.ts';
import { inEnglish } from './english.ts';
import { isOneNumber } from './plural-forms.ts';

/** What may stand in single braces, by the place in the file. */
const placeholders: [place: RegExp, names: string[]][] = [
	[/^errors\./, ['label', 'max', 'min', 'options']],
	[/^invalidLead\.errors\./, ['member', 'max', 'min', 'options']],
	[/^errorTitle$/, ['title']],
	[/^next\.steps\b/, ['email']],
	[/^(left|over|next\.answer)\.\w+$/, ['count']],
	[/^team\.(accessRequest|lead)$/, ['who']],
	[/^team\.agreed$/, ['version']],
	[/^team\.byCommand$/, ['command']],
	[/^team\.withKey$/, ['owner', 'key']],
	[/^notices\.limited\.text$/, ['email', 'when']],
	[/^notices\.\w+\.text$/, ['email']],
];

/** Placeholders that nothing fills in. */
export function* placeholderMistakes(field: string, text: string): Generator<Mistake> {
	const [, known = []] = placeholders.find(([pattern]) => pattern.test(field)) ?? [];
	const wanted = known.map((name) => `{${name}}`);
	for (const found of bracesIn(text))
		if (!found.startsWith('{{') && !wanted.includes(found)) yield { found, wanted: either(wanted) };
}

/** The English of a text. */
interface Counterpart {
	text: string;
	/** The facts and placeholders that a translation may have, and those that it must have. */
	known: string[];
	needed: string[];
}

/** What stands in English at the place of a text; none: that has no words there. */
export function counterpartOf(place: string[], english: unknown, language: string): Counterpart | undefined {
	const parent = place.slice(0, -1).reduce((member, name) => (member as Record<string, unknown> | undefined)?.[name], english);
	const { [place.at(-1)!]: own, other } = (parent ?? {}) as Record<string, unknown>;
	const text = own ?? other;
	if (typeof text !== 'string') return undefined;
	const needed = bracesIn(text);
	// Of words about a number, which may be named in every form, and need not where it is the only one.
	if (typeof other !== 'string') return { text, known: needed, needed };
	return { text, known: bracesIn(other), needed: isOneNumber(language, place.at(-1)!) ? [] : needed };
}

/** Facts and placeholders that the English does not have, or else those that it has and the translation does not. */
export function* braceMistakes(text: string, { text: english, known, needed }: Counterpart): Generator<Mistake> {
	const own = bracesIn(text);
	const others = own.filter((name) => !known.includes(name));
	for (const found of others) yield { found, wanted: either(known) };
	for (const name of needed)
		if (others.length === 0 && !own.includes(name)) yield { found: `no ${name}`, wanted: `it, as ${inEnglish(english)}` };
}

const bracesIn = (text: string): string[] =>
	[...new Set(text.match(/\{\{[^{}]*\}\}|\{[^{}]*\}/g))].map((name) => name.replaceAll(' ', ''));

const either = (names: string[]) => names.join(' or ') || 'no braces here';
