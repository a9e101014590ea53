import { readFileSync } from 'node:fs';
import { isNotFoundPage, type Manifest, type ManifestEntry, type NotFoundPage, notFoundPages } from '../server/files/manifest.ts';

/** The build that lies beside this program. */
export interface Build {
	/** The files with an address of their own, by path. */
	documents: Map<string, BuiltFile>;
	/** The pages that answer all other addresses. */
	notFound: (NotFoundPage & Content)[];
}

export interface BuiltFile extends ManifestEntry, Content {
	path: string;
}

interface Content {
	/** Without a content coding. */
	content: Buffer;
}

/** @param server the folder of the programs: the build puts this module into `chunks` in it */
export function readBuild(server = new URL('..', import.meta.url)): Build {
	const manifest = JSON.parse(readFileSync(new URL('files.json', server), 'utf8')) as Manifest;
	const bytes = readFileSync(new URL('files.bin', server));
	const withContent = <Entry extends ManifestEntry>(entry: Entry) =>
		Object.assign(entry, { content: bytes.subarray(...entry.bodies.identity!) });
	const documents = Object.entries(manifest).filter(([path]) => !isNotFoundPage(path));
	return {
		documents: new Map(documents.map(([path, entry]) => [path, withContent(Object.assign(entry, { path }))])),
		notFound: notFoundPages(manifest).map(withContent),
	};
}

/** Returns whether the file's name has a fingerprint, so that no browser asks twice. */
export const isAsset = ({ path }: BuiltFile) => path.startsWith('/_astro/');
