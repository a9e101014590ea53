import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

interface MaildirEntry {
	/** The file's name in `new/`. */
	name: string;
	raw: string;
	parsed: Email;
}

/** Returns the mails in `new/` of a Maildir, by name, or nothing if there is no such folder. */
export async function readMaildir(folder: string): Promise<MaildirEntry[]> {
	const names = await readdir(path.join(folder, 'new')).catch(() => []);
	return Promise.all(
		names.toSorted().map(async (name) => {
			const bytes = await readFile(path.join(folder, 'new', name));
			return { name, raw: bytes.toString(), parsed: await PostalMime.parse(bytes) };
		}),
	);
}
