import { readdir, readFile, writeFile } from 'node:fs/promises';
import { linkHeader } from '../../discovery/link-header.ts';
import { type MarkdownPage, markdownOf } from './page.ts';

interface MarkdownOptions {
	client: URL;
	/** By path: what each prerendered route declared. What the Markdown and its page say of each other is added. */
	declared: Map<string, Headers>;
}

/** Writes every page that names an address for its Markdown in Markdown too. */
export async function writeMarkdown({ client, declared }: MarkdownOptions): Promise<void> {
	const files = await readdir(client, { recursive: true });
	await Promise.all(
		files
			.filter((file) => file.endsWith('.html'))
			.map(async (file) => {
				const page = markdownOf(await readFile(new URL(file, client), 'utf8'));
				if (page === undefined) return;
				await writeFile(new URL(page.path.slice(1), client), page.text);
				declareLinks(page, declared);
			}),
	);
}

function declareLinks({ path, canonical }: MarkdownPage, declared: Map<string, Headers>): void {
	const { pathname } = new URL(canonical);
	const page = new Headers(declared.get(pathname));
	const markdown = new Headers({
		link: [page.get('link'), linkHeader([{ href: canonical, rel: 'canonical' }])].filter(Boolean).join(', '),
		// As with the other documents for programs: those on any origin may read it.
		'access-control-allow-origin': '*',
		'cross-origin-resource-policy': 'cross-origin',
	});
	page.append('link', linkHeader([{ href: path, rel: 'alternate', type: 'text/markdown' }]));
	page.append('vary', 'Accept');
	declared.set(pathname, page).set(path, markdown);
}
