import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('colours stand in the palette alone', () => {
	for (const file of globSync('src/site/**/*.css'))
		expect([file, readFileSync(file, 'utf8').match(/#[\da-f]{3,8}\b|rgba?\(|hsla?\(/gi)]).toEqual([file, null]);
});
