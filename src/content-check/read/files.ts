import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { told } from '../../facts/mistake.ts';

/** The files that Astro takes as images. */
export const imageFile = /\.(avif|gif|jpe?g|png|svg|tiff|webp)$/i;

/** All files under a folder, where there is one, by their paths from the root; those whose names begin with a dot are nobody's. */
export function filesIn(root: string, folder: string): string[] {
	if (!existsSync(path.join(root, folder))) return [];
	return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
		.filter((file) => !file.includes('/.'))
		.toSorted();
}

/** The text of a file, without the mark of byte order that some editors begin it with. That it is not UTF-8 goes into `messages`. */
export function textIn(root: string, file: string, messages: string[]): string {
	const bytes = readFileSync(path.join(root, file));
	if (!isUtf8(bytes)) messages.push(told(file, { found: 'bytes that are not UTF-8', wanted: 'the file saved as UTF-8' }));
	return new TextDecoder().decode(bytes);
}
