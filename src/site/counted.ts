import type { Counted } from '../facts/counted.ts';
import { localeOf } from '../facts/language.ts';

/** Returns words about a number in the language's plural form for it. */
export function countText(words: Counted, count: number, language: string): string {
	const form = new Intl.PluralRules(language).select(count);
	return (words[form] ?? words.other).replace('{count}', count.toLocaleString(localeOf(language)));
}
