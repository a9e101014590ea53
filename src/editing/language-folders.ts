import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The folders of `content/` that are no language. */
const others = new Set(['docs', 'skills']);

/** The folders of `content/` with the words of a language, by their names, which are its tag. */
export const languageFolders = (root: string): string[] =>
	readdirSync(path.join(root, 'content'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !others.has(entry.name) && !entry.name.startsWith('.'))
		.map(({ name }) => name)
		.toSorted();
