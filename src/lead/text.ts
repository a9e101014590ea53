const LINE_BREAKS = /\r\n|[\v\f\r\u0085\u2028\u2029]/gu;
const CONTROLS_BUT_NEWLINE = /[^\P{Cc}\n]/gu;

/**
 * Invisible characters that change how a text reads: directional marks and overrides, zero-width spaces, soft hyphens, tag
 * characters, fillers (Unicode Technical Report 36; the property Default_Ignorable_Code_Point) and interlinear annotation. Each
 * may hide a word from a filter, or make text read as something else than it is.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/v;

/** Matches an invisible character that is part of how a text looks: it is kept. */
const SEEN = [
	// Flags of regions: a black flag, the tags of its name, and the tag that ends it (Unicode Technical Standard 51).
	/\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{2,6}\u{E007F}/v,
	// Joined emoji, their presentation, and keycaps.
	/(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})/v,
	/(?<=[\p{Emoji}--[0-9#*]])[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)/v,
	// Joining of letters, as in Persian and the scripts of India.
	/(?<=[\p{L}--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Default_Ignorable_Code_Point}]][\p{M}--\p{Default_Ignorable_Code_Point}]*)[\u200C\u200D]/v,
	// Variants of ideographs, as in Japanese names, and of Mongolian letters.
	/(?<=\p{Unified_Ideograph})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]|(?<=[\p{Script=Mongolian}--\p{Default_Ignorable_Code_Point}])[\u180B-\u180D\u180F]/v,
];

const SEEN_OR_INVISIBLE = new RegExp(`(${SEEN.map(({ source }) => source).join('|')})|${INVISIBLE.source}`, 'gv');

/**
 * White space, controls and invisible characters up to U+FFFF, in syntax that every regular expression engine knows: PHP, Perl and Go
 * have no `\u`. U+2028 and U+2029, with which generated JavaScript breaks, are in `\s`.
 */
const UNSEEN =
	'\\s\\x00-\\x20\\x7F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u202A-\u202F\u205F-\u206F\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB';

/** Finds a visible character in a text, cleaned or not. It is published. */
export const visible = new RegExp(`[^${UNSEEN}]`, 'u');

/** Replaces a text that passes `visible` but is invisible: all its characters are beyond U+FFFF. */
const REPLACEMENT = '\uFFFD';

/** Matches text of ASCII and Latin letters, which cleaning only trims. To clean it all the same takes a tenth of a 422's time. */
const CLEAN = /^[\n -~\u00A1-\u00AC\u00AE-\u02FF]*$/;

/** Returns text of several lines as it is kept: well-formed, composed (NFC), without invisible characters, and trimmed. */
export function cleanText(value: string): string {
	if (CLEAN.test(value)) return value.trim();
	const seen = value
		.toWellFormed()
		.replace(LINE_BREAKS, '\n')
		.replaceAll('\t', ' ')
		.replace(CONTROLS_BUT_NEWLINE, '')
		.replace(SEEN_OR_INVISIBLE, '$1');
	return composeMarks(seen).trim() || (visible.test(value) ? REPLACEMENT : '');
}

/**
 * More composing characters in a row than any language has (Unicode Standard Annex 15, section 13): ordering them takes quadratic
 * time. These are combining marks, and the vowel signs of Kirat Rai, which Unicode counts as letters.
 */
const MANY_MARKS = /(?<![\p{M}\u{16D67}-\u{16D6A}])[\p{M}\u{16D67}-\u{16D6A}]{31}/u;

/** Returns the text in NFC, unless that is slow or longer: some letters of India and of Hebrew have more code points there. */
function composeMarks(text: string): string {
	if (MANY_MARKS.test(text)) return text;
	const nfc = text.normalize('NFC');
	return nfc === text || codePoints(nfc) <= codePoints(text) ? nfc : text;
}

/** Returns text of one line as it is kept. */
export function cleanLine(value: string): string {
	const text = cleanText(value);
	if (!text.includes('\n')) return text;
	const lines = text.split('\n').map((line) => line.trim());
	return lines.filter(Boolean).join(' ');
}

/** A text this many times over its limit is not cleaned. No real text is so long: decomposed Unicode takes three times the counted length. */
export const FAR_OVER = 4;

/** Returns whether a text, without white space around it, is so far over its limit that cleaning cannot help. */
export const isFarOver = (text: string, max: number) => !fits(text, FAR_OVER * max) && !fits(text.trim(), FAR_OVER * max);

/** Returns whether a text has at most `max` code points. `maxLength` of JSON Schema counts those; `length` counts code units. */
export const fits = (text: string, max: number) => text.length <= max || (text.length <= 2 * max && codePoints(text) <= max);

/** Returns the first `max` code points of a text. */
export const cutTo = (text: string, max: number): string => Iterator.from(text).take(max).toArray().join('');

/** Cuts a text to at most `max` UTF-16 code units, which no service undercounts, between characters as a reader sees them (UAX 29). */
export function truncate(text: string, max: number, ending = '…'): string {
	if (text.length <= max) return text;
	const end = new Intl.Segmenter().segment(text).containing(max - ending.length)?.index;
	return text.slice(0, end ?? 0) + ending;
}

export const codePoints = (text: string): number => [...text].length;
