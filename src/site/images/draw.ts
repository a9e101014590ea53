import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type FontDetails, type Node, Renderer, type RenderOptions } from '@takumi-rs/core';
import inter from '@fontsource-variable/inter/unicode.json';
import notoSansArabic from '@fontsource-variable/noto-sans-arabic/unicode.json';
import { lightDrawing } from '../brand.ts';

let ready: Promise<Renderer> | undefined;

/** Draws elements styled with CSS, as PNG by default. The image source `logo` is our drawing. */
export async function draw(node: Node, options: RenderOptions): Promise<Buffer<ArrayBuffer>> {
	ready ??= renderer();
	return (await ready).render(node, { images: [{ src: 'logo', data: Buffer.from(lightDrawing) }], ...options });
}

async function renderer(): Promise<Renderer> {
	const own = new Renderer();
	for (const font of readFonts()) await own.registerFont(font);
	return own;
}

/**
 * The fonts of images, the same on every machine: the letters of each file, by family. The first family that has a letter draws it.
 * To add a script, add a package here and a name in the styles of images.
 */
const families: Record<string, Record<string, string>> = { inter, 'noto-sans-arabic': notoSansArabic };

const parts = Object.entries(families).flatMap(([name, ranges]) =>
	Object.entries(ranges).map(([part, range]) => ({
		name,
		file: `@fontsource-variable/${name}/files/${name}-${part}-wght-normal.woff2`,
		unicodeRange: range.split(',').map(parseRange),
	})),
);

/** Reads a `unicode-range` of CSS: `U+20AC`, `U+0600-06FF`. */
function parseRange(range: string): [from: number, to: number] {
	const [from = '', to = from] = range.slice('U+'.length).split('-');
	return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
}

const { resolve } = createRequire(import.meta.url);

/** Reads all fonts from disk. */
const readFonts = (): FontDetails[] => parts.map(({ file, ...part }) => ({ ...part, data: readFileSync(resolve(file)) }));

/** Returns true if the fonts have every letter of a text. A missing letter leaves a gap. */
export const isLettered = (text: string): boolean =>
	Array.from(text, (letter) => letter.codePointAt(0)!).every((code) =>
		parts.some(({ unicodeRange }) => unicodeRange.some(([from, to]) => from <= code && code <= to)),
	);
