import type { FontDetails } from '@takumi-rs/core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** What images are lettered in, on every machine the same: the first that has a letter. One more script is one more package here. */
const families = ['inter', 'noto-sans-arabic'];

const { resolve } = createRequire(import.meta.url);
const packageOf = (family: string) => `@fontsource-variable/${family}`;

/** The parts of each font, with the letters (Unicode code points, inclusive) that each has. */
const parts = families.flatMap((family) => {
	const ranges = JSON.parse(readFileSync(resolve(`${packageOf(family)}/unicode.json`), 'utf8')) as Record<string, string>;
	return Object.entries(ranges).map(([part, range]) => ({
		name: family,
		file: `${packageOf(family)}/files/${family}-${part}-wght-normal.woff2`,
		unicodeRange: range.split(',').map(parseRange),
	}));
});

/** As `unicode-range` of CSS has it: `U+20AC`, `U+0600-06FF`. */
function parseRange(range: string): [from: number, to: number] {
	const [from = '', to = from] = range.slice('U+'.length).split('-');
	return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
}

/** All fonts, read anew. */
export const readFonts = (): FontDetails[] => parts.map(({ file, ...part }) => ({ ...part, data: readFileSync(resolve(file)) }));

/** Whether the fonts have every letter of a text: one that they have not would be a gap. */
export const isLettered = (text: string): boolean =>
	Array.from(text, (letter) => letter.codePointAt(0)!).every((code) =>
		parts.some(({ unicodeRange }) => unicodeRange.some(([from, to]) => from <= code && code <= to)),
	);
