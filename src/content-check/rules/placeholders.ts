import type { Mistake } from '../../facts/mistake.ts';
import { isOneNumber } from './plurals.ts';
import { quotedEnglish } from '../read/word-texts.ts';

/** The placeholders in single braces that each place of a file allows. */
const placeholders: [place: RegExp, names: string[]][] = [
	[/^errors\./, ['label', 'max', 'options', 'character']],
	[/^invalidLead\.errors\./, ['member', 'max', 'options', 'character']],
	[/^errorTitle$/, ['title']],
	[/^confirmation\.text$/, ['answer', 'booking']],
	[/^confirmation\.booking$/, ['url']],
	[/^next\.steps\b/, ['email']],
	[/^next\.answer\.\w+$/, ['count']],
	[/^team\.(accessRequest|lead)$/, ['who']],
	[/^team\.agreed$/, ['version']],
	[/^team\.byCommand$/, ['command']],
	[/^team\.withKey$/, ['owner', 'key']],
	[/^notices\.limited\.text$/, ['email', 'when']],
	[/^notices\.\w+\.text$/, ['email']],
];

/** Finds placeholders that nothing fills in. */
export function* placeholderMistakes(field: string, text: string): Generator<Mistake> {
	const [, known = []] = placeholders.find(([pattern]) => pattern.test(field)) ?? [];
	const wanted = known.map((name) => `{${name}}`);
	for (const found of bracesIn(text))
		if (!found.startsWith('{{') && !wanted.includes(found)) yield { found, wanted: joinWithOr(wanted) };
}

/** The English text of a translation. */
interface Counterpart {
	text: string;
	/** The facts and placeholders that the translation may have, and those that it must have. */
	known: string[];
	needed: string[];
}

/** Returns the English text at the place of a translation, if there is one. */
export function counterpartOf(place: string[], english: unknown, language: string): Counterpart | undefined {
	const parent = place.slice(0, -1).reduce((member, name) => (member as Record<string, unknown> | undefined)?.[name], english);
	const { [place.at(-1)!]: own, other } = (parent ?? {}) as Record<string, unknown>;
	const text = own ?? other;
	if (typeof text !== 'string') return undefined;
	const needed = bracesIn(text);
	// A text with `other` beside it is a plural form: it may name the number, and must unless it is for one number only.
	if (typeof other !== 'string') return { text, known: needed, needed };
	return { text, known: bracesIn(other), needed: isOneNumber(language, place.at(-1)!) ? [] : needed };
}

/** Finds facts and placeholders that only the translation has or, if there are none, those that it lacks. */
export function* counterpartMistakes(text: string, { text: english, known, needed }: Counterpart): Generator<Mistake> {
	const own = bracesIn(text);
	const others = own.filter((name) => !known.includes(name));
	for (const found of others) yield { found, wanted: joinWithOr(known) };
	for (const name of needed)
		if (others.length === 0 && !own.includes(name)) yield { found: `no ${name}`, wanted: `it, as in ${quotedEnglish(english)}` };
}

/** Only facts may have spaces inside their braces. */
const bracesIn = (text: string): string[] =>
	[...new Set(text.match(/\{\{[^{}]*\}\}|\{[^{}]*\}/g))].map((name) => (name.startsWith('{{') ? name.replaceAll(' ', '') : name));

const joinWithOr = (names: string[]) => names.join(' or ') || 'no braces here';
