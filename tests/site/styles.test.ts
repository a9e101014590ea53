import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paletteNames } from '../../src/facts/palette.ts';

test('styles use the names of the palette, each of them, and no other but their own', () => {
	const styles = globSync('src/site/**/*.css').map((file) => readFileSync(file, 'utf8'));
	const all = (pattern: RegExp) => new Set(styles.flatMap((css) => css.match(pattern) ?? []));
	const own = all(/(?<![\w-])--[\w-]+(?=:)/g);
	expect([...own].filter((name) => paletteNames.includes(name))).toEqual([]);
	expect([...all(/(?<=var\()--[\w-]+/g)].filter((name) => !own.has(name)).toSorted()).toEqual(paletteNames.toSorted());
});
