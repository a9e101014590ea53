import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { linkHeader } from '../../discovery/link-header.ts';
import { paths, urlPath } from '../../facts/links.ts';
import { markdownOf, type MarkdownPage, searchIndex, withIndex } from './page.ts';

/**
 * Writes the Markdown of every page that names an address for it, and the search index of the documentation.
 *
 * @param declared the headers that each prerendered route declared, by path. The links between Markdown and page are added
 */
export function writeMarkdown(client: URL, declared: Map<string, Headers>): void {
	const pages = globSync('**/*.html', { cwd: fileURLToPath(client) }).flatMap((file) => {
		const page = markdownOf(readFileSync(new URL(file, client), 'utf8'));
		if (page) declareLinks(urlPath(file), page, declared);
		return page ?? [];
	});
	for (const page of pages) writeFileSync(fileOf(page.path, client), withIndex(page));
	writeFileSync(fileOf(paths.searchIndex, client), searchIndex(pages));
}

const fileOf = (path: string, client: URL) => new URL(path.slice(1), client);

function declareLinks(address: string, { path, canonical }: MarkdownPage, declared: Map<string, Headers>): void {
	const page = new Headers(declared.get(address));
	const markdown = new Headers({
		link: [page.get('link'), linkHeader([{ href: canonical, rel: 'canonical' }])].filter(Boolean).join(', '),
		// Programs on any origin may read it, like the other documents.
		'access-control-allow-origin': '*',
		'cross-origin-resource-policy': 'cross-origin',
	});
	page.append('link', linkHeader([{ href: path, rel: 'alternate', type: 'text/markdown' }]));
	page.append('vary', 'Accept');
	declared.set(address, page).set(path, markdown);
}
