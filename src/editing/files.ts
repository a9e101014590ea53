import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** All files under a folder, where there is one, by their paths from the root; those whose names begin with a dot are nobody's. */
export function filesIn(root: string, folder: string): string[] {
	if (!existsSync(path.join(root, folder))) return [];
	return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
		.filter((file) => !file.includes('/.'))
		.toSorted();
}
