import { ContentError } from '../service/content-error.ts';
import { markdownPath } from '../service/links.ts';
import { told } from '../service/mistake.ts';
import type { DocumentEntry, Page } from './source.ts';

/** @throws {ContentError} documents have the path of another document, of a page, or of a page in Markdown */
export function checkDocumentPaths(documents: DocumentEntry[], pages: Page[]): void {
	const paths = documents.map(({ path }) => path);
	const twice = paths.filter((path, index) => paths.indexOf(path) < index);
	const taken = new Set<string>(pages.flatMap(({ path }) => [path, markdownPath(path)]));
	const messages = [
		...twice.map((path) => told(TABLE, { found: `'${path}' twice`, wanted: 'each path once' })),
		...paths
			.filter((path) => taken.has(path))
			.map((path) => told(TABLE, { found: `'${path}', which a page has`, wanted: 'another path' })),
	];
	if (messages.length > 0) throw new ContentError(messages);
}

const TABLE = 'src/discovery/documents.ts';
