import { isRightToLeft } from './direction.ts';
import { defaultLanguage, localeOf } from './language.ts';

/** Returns an amount as pages in a language write it: `USD 0.38`, `0,38 $`. @param currency ISO 4217 */
export function amountIn(language: string, value: number, currency: string): string {
	// In English the code says more than the sign, because several currencies share the sign.
	const currencyDisplay = language === defaultLanguage ? 'code' : 'symbol';
	const format = { style: 'currency', currency, currencyDisplay, trailingZeroDisplay: 'stripIfInteger' } as const;
	const text = new Intl.NumberFormat(localeOf(language), format).format(value);
	// Programs read the English text, and find an ordinary space.
	if (language === defaultLanguage) return text.replace('\u00a0', ' ');
	// The left-to-right mark (Unicode UAX #9) keeps the dollar of `US$` in its place.
	return isRightToLeft(language) ? `${text}\u200e` : text;
}
