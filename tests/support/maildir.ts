import { once } from 'node:events';
import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

export interface MaildirEntry {
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

/** Returns the mails as soon as there are `count`. The folder must exist. */
export async function arrivedIn(folder: string, count: number): Promise<MaildirEntry[]> {
	const watcher = watch(path.join(folder, 'new'));
	try {
		for (;;) {
			const change = once(watcher, 'change');
			const entries = await readMaildir(folder);
			if (entries.length >= count) return entries;
			await change;
		}
	} finally {
		watcher.close();
	}
}
