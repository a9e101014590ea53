import { readFileSync } from 'node:fs';
import type { Answer, FileAnswer } from '../../http/answer.ts';
import { fileAnswer, type FileRequest, type Variants, variantsOf } from './file-answer.ts';
import type { Manifest, ManifestEntry } from './manifest.ts';
import { siteOf } from './site.ts';

/**
 * Loads the prebuilt files into memory. Returns functions that look at them, and answer with them.
 *
 * @param folder the URL of the folder with `files.json` and `files.bin`
 */
export function loadFiles(folder: URL) {
	const manifest = JSON.parse(readFileSync(new URL('files.json', folder), 'utf8')) as Manifest;
	const bytes = readFileSync(new URL('files.bin', folder));
	const { has, find } = siteOf(manifest);
	const prepared = new Map<ManifestEntry, Variants>();
	return {
		has,
		/** Answers a request for a path outside `/api/`. */
		answer(request: FileRequest, path: string): Answer | FileAnswer {
			const found = find(request, path);
			return 'body' in found ? found : fileAnswer(request, ready(found.entry), found.status);
		},
	};

	/** Prepares a file for its first request: preparing all of them takes a tenth of the start. */
	function ready(entry: ManifestEntry): Variants {
		const known = prepared.get(entry);
		if (known) return known;
		const variants = variantsOf(entry, bytes);
		prepared.set(entry, variants);
		return variants;
	}
}
