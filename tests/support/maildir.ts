import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import PostalMime from 'postal-mime';

/** Returns the mails in `new/` of a Maildir, by the names of their files, or nothing if there is no such folder. */
export async function readMaildir(folder: string) {
	const names = await readdir(path.join(folder, 'new')).catch(() => []);
	return Promise.all(
		names.toSorted().map(async (name) => {
			const bytes = await readFile(path.join(folder, 'new', name));
			return { name, raw: bytes.toString(), parsed: await PostalMime.parse(bytes) };
		}),
	);
}
