import type { Counted } from '../facts/counted.ts';
import { localeOf } from '../facts/language.ts';

/** Words about a number, in the plural form that the language has for it. */
export function counted(words: Counted, count: number, language: string): string {
	const form = new Intl.PluralRules(language).select(count);
	return (words[form] ?? words.other).replace('{count}', count.toLocaleString(localeOf(language)));
}
