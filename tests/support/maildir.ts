import { readdir, readFile, watch } from 'node:fs/promises';
import path from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

export interface MaildirEntry {
	/** The file's name in `new/`. */
	name: string;
	raw: string;
	parsed: Email;
}

/** What lies in `new/` of a Maildir, by name; nothing while there is no such folder. */
export async function readMaildir(folder: string): Promise<MaildirEntry[]> {
	const names = await readdir(path.join(folder, 'new')).catch(() => []);
	return Promise.all(
		names.toSorted().map(async (name) => {
			const bytes = await readFile(path.join(folder, 'new', name));
			return { name, raw: bytes.toString(), parsed: await PostalMime.parse(bytes) };
		}),
	);
}

/** The same as soon as so many lie there. The folder must be there. */
export async function arrivedIn(folder: string, count: number): Promise<MaildirEntry[]> {
	const changes = watch(path.join(folder, 'new'));
	for (;;) {
		const entries = await readMaildir(folder);
		if (entries.length >= count) {
			await changes.return?.(undefined);
			return entries;
		}
		await changes.next();
	}
}
