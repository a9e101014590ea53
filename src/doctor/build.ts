import { readFileSync } from 'node:fs';
import { isNotFoundPage, type Manifest, type ManifestEntry, notFoundPages } from '../server/files/manifest.ts';

export interface BuiltFile extends ManifestEntry {
	path: string;
	/** Without a content coding. */
	content: Buffer;
}

/**
 * Reads the build that lies beside this program.
 *
 * @param server the folder of the programs: the build puts this module into `chunks` in it
 */
export function readBuild(server = new URL('..', import.meta.url)) {
	const manifest = JSON.parse(readFileSync(new URL('files.json', server), 'utf8')) as Manifest;
	const bytes = readFileSync(new URL('files.bin', server));
	const withContent = <Entry extends ManifestEntry>(entry: Entry) =>
		Object.assign(entry, { content: bytes.subarray(...entry.bodies.identity!) });
	const documents = Object.entries(manifest).filter(([path]) => !isNotFoundPage(path));
	return {
		/** The files with an address of their own, by path. */
		documents: new Map<string, BuiltFile>(documents.map(([path, entry]) => [path, withContent(Object.assign(entry, { path }))])),
		/** The pages that answer all other addresses. */
		notFound: notFoundPages(manifest).map(withContent),
	};
}

export type Build = ReturnType<typeof readBuild>;

/** Returns whether the file's name has a fingerprint, so that no browser asks twice. */
export const isAsset = ({ path }: BuiltFile) => path.startsWith('/_astro/');
