import { instead, nearest } from '../service/nearest.ts';
import { anchorsIn } from './headings.ts';
import type { Mistake } from '../service/mistake.ts';
import { decoded, type ReadPage, type Site } from './site.ts';
import type { Tag } from './prose.ts';

/** A link to a place within a page that only the built page can tell of: components make its places. */
export interface Anchor {
	file: string;
	line: number;
	/** As it is written. */
	href: string;
	path: string;
	id: string;
}

/** Links within the site that lead nowhere. Those that cannot be judged yet go into `anchors`. */
export function* linkMistakes(file: string, from: string, tags: Tag[], site: Site, anchors: Anchor[]): Generator<Mistake> {
	for (const { name, attributes, line } of tags) {
		const href = name === 'a' ? attributes.get('href') : undefined;
		const url = href === undefined ? undefined : URL.parse(href, site.origin + from);
		if (href === undefined || (url !== null && url?.origin !== site.origin)) continue;
		if (url === null) yield { line, found: `the link ${href}`, wanted: 'a path of ours such as /docs, or a whole URL' };
		else yield* pathMistakes({ file, line, href, path: decoded(url.pathname), id: decoded(url.hash.slice(1)) }, site, anchors);
	}
}

function* pathMistakes(anchor: Anchor, site: Site, anchors: Anchor[]): Generator<Mistake> {
	const { file, line, href, path, id } = anchor;
	const target = site.pages.find((page) => page.path === path);
	const from = site.pages.find((page) => page.file === file);
	if (!site.paths.includes(path)) yield { line, found: `the link ${href}`, wanted: insteadOfPath(path, site.paths) };
	else if (isDraft(target) && !isDraft(from))
		yield { line, found: `the link ${href} to a draft`, wanted: `no link to it, or no \`draft: true\` in ${target!.file}` };
	else if (id !== '' && target !== undefined && target.prose.names.size === 0) {
		const ids = [...anchorsIn(target.prose)];
		if (!ids.includes(id)) yield { line, found: `the link ${href}`, wanted: `a heading of ${target.file}, ${instead(id, ids)}` };
	} else if (id !== '') anchors.push(anchor);
}

const isDraft = (page: ReadPage | undefined) => page?.data !== undefined && 'draft' in page.data && page.data.draft === true;

/** A page that was moved into another folder keeps its name. */
function insteadOfPath(path: string, paths: string[]): string {
	const name = path
		.replace(/\.mdx?$|\/$/, '')
		.split('/')
		.at(-1)!;
	const moved = paths.find((known) => name !== '' && known.endsWith(`/${name}`));
	const meant = moved ?? nearest(path, paths);
	return meant === undefined ? 'a path that is published, such as /docs' : `one that exists: did you mean ${meant}?`;
}
