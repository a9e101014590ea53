import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Mistake } from '../service/mistake.ts';
import type { Prose } from './prose.ts';
import type { Site } from './site.ts';

/** Files that a page imports and that are not there. Packages, and files named without their ending, are the bundler's to find. */
export function* importMistakes(file: string, { imports }: Prose, { root }: Site): Generator<Mistake> {
	for (const { from, line } of imports) {
		const beside = path.posix.join(path.posix.dirname(file), from.replace(/\?.*$/, ''));
		if (from.startsWith('.') && path.extname(beside) !== '' && !existsSync(path.join(root, beside)))
			yield { line, found: `the import ${from}`, wanted: `a file that exists: put it at ${beside}, or correct the name` };
	}
}
