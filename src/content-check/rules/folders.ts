import { existsSync } from 'node:fs';
import path from 'node:path';
import { urlPath } from '../../facts/links.ts';
import { type Mistake, mistakeText } from '../../facts/mistake.ts';
import { filesIn, imageFile } from '../read/files.ts';
import { type DocsData, groupOf, type PageFile } from '../../facts/page.ts';
import { DOCS, EXPLORER } from '../read/pages.ts';
import type { Site } from '../read/site.ts';

/** Finds files in the folder of documentation that are no pages, and missing pages. */
export function docsFileMistakes(root: string): string[] {
	return [
		...filesIn(root, DOCS)
			.filter((file) => !/\/[a-z0-9][a-z0-9-]*\.mdx$/.test(file) && !imageFile.test(file))
			.map((file) => mistakeText(file, noPage(file))),
		...(existsSync(path.join(root, EXPLORER))
			? []
			: [mistakeText(EXPLORER, { found: 'nothing', wanted: 'the page of this name: the site needs it' })]),
	];
}

/** Finds published files that not every host would find by their names, and HTML of `public/` that would replace a page. */
export function publishedFileMistakes({ root, publicPaths, paths }: Site): string[] {
	const files = publicPaths.map((file) => `public${file}`);
	const pages = publicPaths.filter((file) => file.endsWith('.html') && [...paths, '/404'].includes(urlPath(file.slice(1))));
	return [
		...[...files, ...filesIn(root, 'content').filter((file) => imageFile.test(file))]
			.filter((file) => !plainName.test(file))
			.map((file) => mistakeText(file, { found: 'a name that addresses must escape', wanted: plainNameFor(file) })),
		...pages.map((file) => mistakeText(`public${file}`, { found: 'the same address as a page', wanted: 'another name' })),
	];
}

const plainName = /^[\w./-]+$/;

const plainNameFor = (file: string) =>
	`letters from a to z, digits, hyphens, dots and underscores, such as ${file
		.normalize('NFD')
		.replaceAll(/\p{M}/gu, '')
		.replaceAll(/[^\w./-]+/g, '-')}`;

function noPage(file: string): Mistake {
	const name = path.basename(file).replace(/(\.(mdx?|markdown|txt))+$/i, '');
	const isText = name !== path.basename(file);
	const slug = name
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '-')
		.replaceAll(/^-|-$/g, '');
	return {
		found: 'a file that is no page',
		wanted: isText ? `the name ${slug}.mdx` : 'a page (.mdx) or an image; put a download into public/',
	};
}

/** Finds folders without an `index.mdx`, and pages with the address of another, or with the same `order` in a folder. */
export function* placeMistakes({ root, docs }: Site): Generator<string> {
	for (const group of new Set(['', ...docs.map(({ id }) => groupOf(id))]))
		if (!docs.some(({ id }) => id === (group || 'index')))
			yield mistakeText(path.posix.join(DOCS, group), {
				found: 'no index.mdx',
				wanted: 'one: it gives the folder its title and its place',
			});
	const routes = fixedRoutes(root);
	for (const [index, page] of docs.entries()) {
		const route = routes.find(({ path }) => path === page.path);
		if (route) yield mistakeText(page.file, { found: `the same address as ${route.file}`, wanted: 'another name' });
		const before = docs.slice(0, index);
		const namesake = before.find(({ id }) => id === page.id);
		if (namesake) yield mistakeText(page.file, { found: `the same address as ${namesake.file}`, wanted: 'one of the two' });
		const siblings = docs.filter(({ id, data }) => data && groupOf(id) === groupOf(page.id));
		const twin = siblings.find((other) => before.includes(other) && other.data?.order === page.data?.order);
		if (twin) yield mistakeText(page.file, sameOrderMistake(page, twin, siblings));
	}
}

function sameOrderMistake({ source, data }: PageFile<DocsData>, twin: PageFile, siblings: PageFile<DocsData>[]): Mistake {
	const line = source.split('\n').findIndex((text) => text.startsWith('order:')) + 1;
	const free = Math.max(...siblings.map((page) => page.data?.order ?? 0)) + 10;
	return { line, found: `order: ${data!.order}, as in ${twin.file}`, wanted: `another number, such as ${free}` };
}

/** Returns the files of `src/pages` that have one address each: a file with brackets in its path has many. */
const fixedRoutes = (root: string): { file: string; path: string }[] =>
	filesIn(root, ROUTES)
		.filter((file) => !file.includes('['))
		.map((file) => ({ file, path: file.slice(ROUTES.length).replace(/(\/index)?\.\w+$/, '') || '/' }));

const ROUTES = 'src/pages';
