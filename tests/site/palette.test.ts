import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(file, 'utf8');
const palette = read('content/palette.css');
const styles = globSync('src/site/**/*.css');

test('every name that styles and logo use is a name of the palette, or of the styles themselves', () => {
	const known = new Set([palette, ...styles.map(read)].flatMap((css) => css.match(/--[\w-]+(?=:)/g) ?? []));
	const used = ['content/logo.svg', ...styles].flatMap((file) =>
		[...read(file).matchAll(/var\((--[\w-]+)/g)].map(([, name]) => `${file}: ${name}`),
	);
	expect(used.filter((name) => !known.has(name.split(' ')[1]!))).toEqual([]);
});

test('colours stand in the palette alone', () => {
	for (const file of styles) expect([file, read(file).match(/#[\da-f]{3,8}\b|rgba?\(|hsla?\(/gi)]).toEqual([file, null]);
});
