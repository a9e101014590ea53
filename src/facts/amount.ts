import { isRightToLeft } from './direction.ts';
import { defaultLanguage, localeOf } from './language.ts';

/** How pages in a language write amounts in a currency (ISO 4217): the arguments of `Intl.NumberFormat`. */
export const amountFormat = (language: string, currency: string) =>
	[
		localeOf(language),
		// In English the code says more than the sign, because several currencies share the sign.
		{
			style: 'currency',
			currency,
			currencyDisplay: language === defaultLanguage ? 'code' : 'symbol',
			trailingZeroDisplay: 'stripIfInteger',
		},
	] as const;

/** Returns an amount as pages in a language write it: `USD 0.38`, `0,38 $`. @param currency ISO 4217 */
export function amountIn(language: string, value: number, currency: string): string {
	const text = new Intl.NumberFormat(...amountFormat(language, currency)).format(value);
	// Programs read the English text, and find an ordinary space.
	if (language === defaultLanguage) return text.replace('\u00a0', ' ');
	// The left-to-right mark (Unicode UAX #9) keeps the dollar of `US$` in its place.
	return isRightToLeft(language) ? `${text}\u200e` : text;
}
