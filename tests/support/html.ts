import { existsSync, globSync, readFileSync } from 'node:fs';
import { FileSystemConfigLoader, formatterFactory, HtmlValidate } from 'html-validate';
import { urlPath } from '../../src/facts/links.ts';

/** HTML forbids only white space: some languages have letters with marks in their ids. */
const rules: Record<string, ['error', object]> = { 'valid-id': ['error', { relaxed: true }] };
const validator = new HtmlValidate(new FileSystemConfigLoader({ root: true, extends: ['html-validate:recommended'], rules }));

/** Returns the mistakes of a page, a line for each. */
export async function htmlMistakes(html: string): Promise<string> {
	const { results } = await validator.validateString(html);
	return formatterFactory('text')(results);
}

/** Returns the links of a built site's pages that lead to no file of it, or to a place that its page does not have. */
export function deadLinks(client: string): string[] {
	const read = (file: string) => readFileSync(`${client}/${file}`, 'utf8');
	const pages = globSync('**/*.html', { cwd: client }).map((file) => ({ path: urlPath(file), html: read(file) }));
	const htmlOf = new Map(pages.map(({ path, html }) => [path, html]));
	const isDead = ({ pathname, hash }: URL) => {
		const html = htmlOf.get(pathname);
		if (html === undefined) return !pathname.startsWith('/api/') && !existsSync(client + pathname);
		return hash !== '' && !html.includes(` id="${decodeURIComponent(hash.slice(1))}"`);
	};
	return pages.flatMap(({ path, html }) =>
		[...html.matchAll(/<a [^>]*href="([/#][^"]*)"/g)]
			.map(([, href]) => href!)
			.filter((href) => isDead(new URL(href, `https://site.test${path}`)))
			.map((href) => `${path}: ${href}`),
	);
}
