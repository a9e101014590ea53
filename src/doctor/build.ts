import { readFileSync } from 'node:fs';
import type { Manifest, ManifestEntry } from '../server/manifest.ts';
import { isNotFoundPage } from '../server/not-found.ts';

/** What the build made, as it lies beside this program. */
export interface Build {
	/** What is to be at its own address, by path. */
	documents: Map<string, BuiltFile>;
	/** The page that stands for all other addresses. */
	notFound: BuiltFile;
}

export interface BuiltFile extends ManifestEntry {
	path: string;
	/** As it is, without a content coding. */
	content: Buffer;
}

/** @param server the folder of the programs: the build puts this module into `chunks` in it */
export function readBuild(server = new URL('..', import.meta.url)): Build {
	const manifest = JSON.parse(readFileSync(new URL('files.json', server), 'utf8')) as Manifest;
	const bytes = readFileSync(new URL('files.bin', server));
	const files = Object.entries(manifest).map(([path, entry]): BuiltFile => {
		const [from, to] = entry.bodies.identity!;
		return Object.assign(entry, { path, content: bytes.subarray(from, to) });
	});
	const documents = new Map(files.map((file) => [file.path, file]));
	const notFound = documents.get('/404')!;
	for (const path of documents.keys()) if (isNotFoundPage(path)) documents.delete(path);
	return { documents, notFound };
}

/** Whether its name has a fingerprint, so that no browser asks twice. */
export const isAsset = ({ path }: BuiltFile) => path.startsWith('/_astro/');
