/** Directional marks and overrides: they can make text read as something else than it is (Unicode Technical Report 36). */
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const LINE_BREAKS = /\r\n|[\r\u0085\u2028\u2029]/gu;
const CONTROLS_BUT_NEWLINE = /[^\P{Cc}\n]/gu;

/** Text of several lines as it is kept: well-formed, composed (NFC), without control characters, without white space around it. */
export function cleanText(value: string): string {
	return value
		.toWellFormed()
		.normalize('NFC')
		.replace(LINE_BREAKS, '\n')
		.replaceAll('\t', ' ')
		.replace(CONTROLS_BUT_NEWLINE, '')
		.replace(BIDI_CONTROLS, '')
		.trim();
}

/** The same on one line. */
export function cleanLine(value: string): string {
	return cleanText(value).replace(/\s*\n\s*/g, ' ');
}
