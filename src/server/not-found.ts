import type { Manifest, ManifestEntry } from './manifest.ts';

/** The page for what is not there, below a path. */
export interface NotFoundPage extends ManifestEntry {
	/** Ends with a slash. */
	below: string;
}

/** Whether it is published at no address of its own. */
export const isNotFoundPage = (path: string) => path.endsWith('/404');

/** The pages that stand for what is not there: of two that fit an address the first. */
export const notFoundPages = (manifest: Manifest): NotFoundPage[] =>
	Object.entries(manifest)
		.filter(([path]) => isNotFoundPage(path))
		.map(([path, entry]) => Object.assign({ below: path.slice(0, -'404'.length) }, entry))
		.toSorted((a, b) => b.below.length - a.below.length);
