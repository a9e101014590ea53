import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** These let a test fail by chance, on code that is right. */
const unsteady: [what: string, pattern: RegExp][] = [
	['a time limit of its own: that of the suite is for busy machines', /(?<!DatabaseSync\(.*)\btimeout: ?[\d_]+/],
	['a time limit of its own, as the last argument', /^\t*(\}, [\d_]{4,}\);|[\d_]{5,},$)/],
	['a second try', /\bretr(y|ies): ?\d/],
	['a wait for silence', /networkidle/],
	['a wait for time', /\bwaitForTimeout\(/],
	['a sentence of the log: wait for what a user or receiver sees', /\.printed\((?!\/.*(http|url))/],
	['a random number without the seed of the run', /\bMath\.random\(|\brandomInt\b|from 'fast-check'/],
];

const files = globSync('tests/**/*.{test,spec}.ts').filter((file) => !file.endsWith('steady.test.ts'));

test.each(unsteady)('no test has %s', (_, pattern) => {
	const found = files.flatMap((file) =>
		readFileSync(file, 'utf8')
			.split('\n')
			.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
	);
	expect(found).toEqual([]);
});
